#include "render/out.h"

#include <errno.h>
#include <unistd.h>

#define OUT_LARGE (256u << 10)

static bool write_all(struct out *out, const char *bytes, size_t size)
{
	while (size > 0 && !out->error) {
		ssize_t written = write(out->fd, bytes, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0) {
			out->error = errno;
			break;
		}
		bytes += written;
		size -= (size_t)written;
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

	buf_clear(&out->buf);
	if (good)
		return true;
	errno = out->error;
	return err_system(err, "cannot write the output");
}
