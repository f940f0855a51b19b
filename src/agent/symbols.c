#include "agent/symbols.h"

#include "agent/jvm.h"

uint64_t symbols_buf(struct constants *constants, const struct buf *text)
{
	return text->failed ? 0 : constants_symbol(constants, buf_as_str(text));
}

uint64_t symbols_text(struct constants *constants, const char *text)
{
	struct buf buf = { 0 };
	uint64_t key;

	if (!text)
		return 0;
	jvm_add_text(&buf, text);
	key = symbols_buf(constants, &buf);
	buf_clear(&buf);
	return key;
}
