#include <criterion/criterion.h>
#include <string.h>

#include "proof.h"

TestSuite(verify_constants, .fini = proof_end);

Test(verify_constants, remarks_on_odd_pools)
{
	size_t at;

	proof_begin(0);
	at = proof_here();
	writer_event(&proof.made.writer, EVENT_CHECKPOINT);
	/* start, duration, way back, kind, pools */
	make_values(&proof.made.writer.buf,
		    VALUES(LONG(proof_ticks()), INT(0), INT(0), BYTE(0), INT(3)));
	make_values(&proof.made.writer.buf, VALUES(INT(104), INT(0)));
	make_values(&proof.made.writer.buf, VALUES(INT(104), INT(-1)));
	make_values(&proof.made.writer.buf,
		    VALUES(INT(103), INT(1), KEY(1), LONG(0), INT(0)));
	buf_text(&proof.made.writer.buf, "rest");
	proof_verify();
	proof_put(CHECKPOINT_AT, (int64_t)at);
	proof_again();
	proof_finds(0, "0 @%zu remark test.Pair: a constant pool holds nothing: ",
		    proof.made.size - 17);
	proof_finds(1, "0 @%zu remark test.Pair: a constant pool holds nothing: a "
		       "count of -1", proof.made.size - 15);
	proof_finds(2, "0 @%zu remark test.Array: a constant pool is of an event type: "
		       "", proof.made.size - 9);
	proof_finds(3, "0 @%zu remark : a checkpoint has bytes behind its constants: "
		       "4", proof.made.size - 4);
	proof_in_all(0, 4);
}

Test(verify_constants, follows_the_chain)
{
	size_t at[3];
	/* Size, type, start, duration, way back, kind, pools. */
	char inside[] = "\7\1\0\0\0\0\0";

	proof_begin(0);
	for (int i = 0; i < 3; i++) {
		at[i] = proof_here();
		writer_checkpoint(&proof.made.writer, 0);
		POOL(&proof.made.writer, "jdk.types.Symbol");
		CONSTANT(&proof.made.writer, (uint64_t)i,
			 TEXT_AS(STRING_LATIN1, inside));
	}
	proof_verify();
	proof_in_all(0, 0);
	proof_put(CHECKPOINT_AT, 0);
	proof_again();
	proof_finds(0, "0 @0 fault : the header names no checkpoint: 3 among the "
		       "events");
	proof_in_all(1, 0);
	proof_put(CHECKPOINT_AT, (int64_t)at[1]);
	proof_again();
	proof_finds(0, "0 @%zu fault : a checkpoint is not in the chain: ", at[2]);
	proof_in_all(1, 0);
	/* What is the text of a constant is a checkpoint, too. */
	proof_put(CHECKPOINT_AT,
		  (int64_t)proof.made.size - (int64_t)sizeof(inside) + 1);
	proof_again();
	proof_finds(0, "0 @%zu fault : a checkpoint is not in the chain: ", at[0]);
	proof_finds(3, "0 @%zu fault : a checkpoint of the chain is not among the "
		       "events: ", proof.made.size - sizeof(inside) + 1);
	proof_in_all(4, 0);
}

Test(verify_constants, compares_constants_of_one_key)
{
	size_t at[2];

	proof_begin(0);
	POOL(&proof.made.writer, "test.Group");
	at[0] = proof_group(1, "old", 0);
	proof_group(2, "same", 0);
	proof_group(3, "child", 2);
	proof_here();
	POOL(&proof.made.writer, "test.Group");
	at[1] = proof_group(1, "new", 0);
	proof_group(20, "same", 0);
	proof_group(3, "child", 20);
	proof_verify();
	proof_finds(0, "0 @%zu remark test.Group: a key has two values in one chunk: "
		       "key 1; the one at byte %zu counts", at[1], at[0]);
	proof_in_all(0, 1);
}

Test(verify_constants, compares_constants_with_those_of_the_chunk_before)
{
	size_t at[2];

	for (int minute = 0; minute < 2; minute++) {
		proof_begin(minute);
		POOL(&proof.made.writer, "jdk.types.Symbol");
		CONSTANT(&proof.made.writer, 7, TEXT("tea"));
		CONSTANT(&proof.made.writer, 8 + (uint64_t)minute, TEXT("milk"));
		POOL(&proof.made.writer, "test.Group");
		at[minute] = proof_group(5, minute ? "b" : "a", 0);
		cr_assert(writer_close(&proof.made.writer, &proof.made.err));
	}
	proof_verify();
	proof_finds(0, "1 @%zu remark test.Group: a key has another value in the chunk "
		       "before: key 5; there it is at byte %zu", at[1], at[0]);
	proof_in_all(0, 1);
}
