#include "jfr/rawtext.h"

#include "base/utf.h"
#include "jfr/encode.h"

void rawtext_encode(struct buf *to, struct str raw)
{
	struct buf text = { 0 };

	if (!raw.bytes || utf_is_ascii(raw.bytes, raw.size)) {
		encode_string(to, raw);
		return;
	}
	utf_add_utf8(&text, raw.bytes, raw.size);
	to->failed |= text.failed;
	encode_string(to, (struct str){ text.bytes, text.size });
	buf_clear(&text);
}

void rawtext_encode_buf(struct buf *to, struct buf *raw)
{
	to->failed |= raw->failed;
	rawtext_encode(to, (struct str){ raw->size ? raw->bytes : "", raw->size });
	buf_clear(raw);
}
