#include "render/out.h"

#include <errno.h>

#include "base/fully.h"

#define OUT_LARGE (256u << 10)

/* So much is tamed at a time: it may grow. */
#define OUT_PIECE (16u << 10)

static bool write_raw(struct out *out, const char *bytes, size_t size)
{
	if (!out->error && !fully_write(out->fd, bytes, size))
		out->error = errno;
	return !out->error;
}

static bool write_tamed(struct out *out)
{
	bool good = write_raw(out, out->tamed.bytes, out->tamed.size);

	if (out->tamed.failed && !out->error)
		out->error = ENOMEM;
	buf_reset(&out->tamed);
	return good && !out->error;
}

static bool write_all(struct out *out, const char *bytes, size_t size)
{
	if (!out->is_terminal)
		return write_raw(out, bytes, size);
	while (size > 0 && !out->error) {
		size_t piece = size < OUT_PIECE ? size : OUT_PIECE;

		tame_add(&out->tame, &out->tamed, (struct str){ bytes, piece });
		bytes += piece;
		size -= piece;
		write_tamed(out);
	}
	return !out->error;
}

static bool out_flush(struct out *out)
{
	bool good = write_all(out, out->buf.bytes, out->buf.size);

	if (out->buf.failed && !out->error)
		out->error = ENOMEM;
	buf_reset(&out->buf);
	return good && !out->error;
}

bool out_write(struct out *out, const void *bytes, size_t size)
{
	return out_flush(out) && write_all(out, bytes, size);
}

bool out_drain(struct out *out)
{
	return out->buf.size < OUT_LARGE ? !out->error : out_flush(out);
}

bool out_close(struct out *out, struct err *err)
{
	bool good = out_flush(out);

	tame_end(&out->tame, &out->tamed);
	good = write_tamed(out) && good;
	buf_clear(&out->buf);
	buf_clear(&out->tamed);
	if (good)
		return true;
	errno = out->error;
	return err_system(err, "cannot write the output");
}
