#include <criterion/criterion.h>

#include "proof.h"

TestSuite(verify_events, .fini = proof_end);

Test(verify_events, tells_events_that_nobody_can_read)
{
	size_t at[5];

	proof_begin(0);
	at[0] = proof_here();
	writer_event(&proof.made.writer, 4711);
	EVENT(&proof.made.writer, "test.Span", LONG(proof_ticks()), LONG(0));
	at[1] = proof_here();
	writer_event(&proof.made.writer, 104);
	EVENT(&proof.made.writer, "test.Span", LONG(proof_ticks()), LONG(0));
	at[2] = proof_here();
	writer_event(&proof.made.writer, 100);
	encode_long(&proof.made.writer.buf, proof_ticks());
	at[3] = proof_here();
	EVENT(&proof.made.writer, "test.Two", LONG(proof_ticks()), INT(1));
	at[4] = proof_here();
	EVENT(&proof.made.writer, "test.Array", LONG(proof_ticks()), COUNT(50), INT(1));
	proof_verify();
	proof_finds(0, "0 @%zu fault : the type of an event is not declared: number "
		       "4711", at[0]);
	proof_finds(1, "0 @%zu fault test.Pair: an event is of a type that is none of "
		       "events: number 104", at[1]);
	proof_finds(2, "0 @%zu fault test.E: an event does not fit its fields: x: the "
		       "bytes end there", at[2]);
	proof_finds(3, "0 @%zu fault test.Two: an event does not fit its fields: pair: "
		       "the bytes end there", at[3]);
	proof_finds(4, "0 @%zu fault test.Array: an event does not fit its fields: "
		       "list: an array of 50, where 1 bytes are left", at[4]);
	proof_in_all(5, 0);
	cr_expect_eq(proof.verdict.events, 7);
}

Test(verify_events, tells_each_event_of_a_type_that_cannot_be_decoded)
{
	struct header header = proof_header(0);
	size_t at;

	writer_open(&proof.made.writer, &header);
	writer_element(&proof.made.writer,
		       make_tree(ROOT LONG_CLASS
				 "  class name=a.E id=8 superType=" EVENT_TYPE
				 "\n" START_FIELD "   field name=y class=92\n" REGION,
				 &proof.made.arena));
	at = proof_here();
	writer_event(&proof.made.writer, 8);
	encode_long(&proof.made.writer.buf, proof_ticks());
	proof_verify();
	proof_finds(1, "0 @%zu fault a.E: the type of an event cannot be decoded: ",
		    at);
	proof_in_all(2, 0);
}

Test(verify_events, looks_at_strings)
{
	size_t at[4];

	proof_begin(0);
	at[0] = proof_here();
	proof_text(VALUES(BYTE(9)));
	at[1] = proof_here();
	proof_text(VALUES(BYTE(STRING_LATIN1), INT(100), BYTES("abc")));
	at[2] = proof_here();
	proof_text(VALUES(BYTE(STRING_CHARS), INT(-1)));
	proof_text(VALUES(TEXT_AS(STRING_UTF8, "a\xc0\x80\xed\xa0\xbd\xed\xb8\x80")));
	proof_text(VALUES(TEXT_AS(STRING_UTF8, "\xef\xbf\xbd")));
	proof_text(VALUES(BYTE(STRING_UTF8), INT(2), BYTES("a\xff")));
	at[3] = proof_here() - 2;
	proof_verify();
	proof_finds(0, "0 @%zu fault test.E: an event does not fit its fields: text: a "
		       "string in the unknown encoding 9", at[0]);
	proof_finds(1, "0 @%zu fault test.E: an event does not fit its fields: text: a "
		       "string of 100 bytes, where 3 are left", at[1]);
	proof_finds(2, "0 @%zu fault test.E: an event does not fit its fields: text: a "
		       "string of -1 characters, where 0 bytes are left", at[2]);
	proof_finds(3, "0 @%zu fault test.E: a string is no UTF-8: text", at[3]);
	proof_in_all(4, 0);
}

Test(verify_events, misses_constants)
{
	size_t at[4];

	proof_begin(0);
	proof_text(VALUES(TEXT_KEY(5)));
	at[0] = proof_here() - 1;
	EVENT(&proof.made.writer, "test.Ref", LONG(proof_ticks()), KEY(-6));
	at[1] = proof_here() - 9;
	POOL(&proof.made.writer, "java.lang.String");
	CONSTANT(&proof.made.writer, 1, TEXT_KEY(1));
	at[2] = proof.made.writer.buf.size - 2;
	POOL(&proof.made.writer, "test.Group");
	CONSTANT(&proof.made.writer, 1, TEXT("g"), KEY(2));
	at[3] = proof.made.writer.buf.size - 1;
	proof_verify();
	proof_finds(0, "0 @%zu fault test.E: a constant is missing: text: "
		       "java.lang.String with the key 5", at[0]);
	proof_finds(1, "0 @%zu fault test.Ref: a constant is missing: symbol: "
		       "jdk.types.Symbol with the key -6", at[1]);
	proof_finds(2, "0 @%zu fault java.lang.String: a string is a key where none "
		       "may be: ", at[2]);
	proof_finds(3, "0 @%zu fault test.Group: a constant is missing: parent: "
		       "test.Group with the key 2", at[3]);
	proof_in_all(4, 0);
}

Test(verify_events, remarks_on_threads_that_are_missing)
{
	proof_begin(0);
	EVENT(&proof.made.writer, "test.OfThread", LONG(proof_ticks()), KEY(3));
	proof_verify();
	proof_finds(0, "0 @%zu remark test.OfThread: a thread is missing among the "
		       "constants: eventThread: java.lang.Thread with the key 3",
		    proof.made.size - 1);
	proof_in_all(0, 1);
}

Test(verify_events, remarks_on_bytes_behind_the_fields)
{
	proof_begin(0);
	EVENT(&proof.made.writer, "test.Ref", LONG(proof_ticks()), KEY(0),
	      BYTES("rest"));
	proof_verify();
	proof_finds(0, "0 @%zu remark test.Ref: an event has bytes behind its fields: "
		       "4", proof.made.size - 4);
	proof_in_all(0, 1);
}

Test(verify_events, remarks_on_times)
{
	size_t at[3];

	proof_begin(0);
	at[0] = proof_here();
	EVENT(&proof.made.writer, "test.Span", LONG(proof_ticks()), LONG(-8));
	at[1] = proof_here();
	EVENT(&proof.made.writer, "test.Span", LONG(proof_ticks() - 4602 * SECOND),
	      LONG(1000 * SECOND));
	EVENT(&proof.made.writer, "test.Span", LONG(proof_ticks() - 4600 * SECOND),
	      LONG(1000 * SECOND));
	at[2] = proof_here();
	EVENT(&proof.made.writer, "test.Ref", LONG(proof_ticks() + 3660 * SECOND),
	      KEY(0));
	EVENT(&proof.made.writer, "test.Ref", LONG(proof_ticks() + 3659 * SECOND),
	      KEY(0));
	EVENT(&proof.made.writer, "test.Span", LONG(proof_ticks()), LONG(INT64_MIN));
	EVENT(&proof.made.writer, "test.Span", LONG(proof_ticks()), LONG(INT64_MAX));
	proof_verify();
	proof_finds(0, "0 @%zu remark test.Span: an event ends before it begins: -8 "
		       "ticks", at[0]);
	proof_finds(1, "0 @%zu remark test.Span: an event happened far outside its "
		       "chunk: 3601 seconds before its start", at[1]);
	proof_finds(2, "0 @%zu remark test.Ref: an event happened far outside its "
		       "chunk: 3661 seconds after its start", at[2]);
	proof_in_all(0, 3);
}

Test(verify_events, tells_each_fault_of_framing)
{
	size_t at[2];

	proof_begin(0);
	at[0] = proof_here();
	buf_add(&proof.made.writer.buf, "\0\0\0", 3);
	EVENT(&proof.made.writer, "test.Span", LONG(proof_ticks()), LONG(0));
	EVENT(&proof.made.writer, "test.Span", LONG(proof_ticks()), LONG(0));
	at[1] = proof_here();
	buf_add(&proof.made.writer.buf, "\0\0\0\0", 4);
	EVENT(&proof.made.writer, "test.Span", LONG(proof_ticks()), LONG(0));
	EVENT(&proof.made.writer, "test.Span", LONG(proof_ticks()), LONG(0));
	proof_verify();
	proof_finds(0, "0 @%zu fault : an event has no size: 3 bytes are stepped over",
		    at[0]);
	proof_finds(1, "0 @%zu fault : an event has no size: 4 bytes are stepped over",
		    at[1]);
	proof_in_all(2, 0);
	cr_expect_eq(proof.verdict.events, 4);
}
