#include <criterion/criterion.h>
#include <string.h>

#include "proof.h"

TestSuite(verify_types, .fini = proof_end);

/* A recording whose metadata is that picture, with a region if it does not say so. */
static void picture(const char *text)
{
	struct header header = proof_header(0);

	writer_open(&proof.made.writer, &header);
	writer_element(&proof.made.writer, make_tree(text, &proof.made.arena));
	proof_verify();
}

Test(verify_types, knows_types_by_their_numbers)
{
	picture(ROOT LONG_CLASS "  class name=a.None\n   field name=x class=2\n"
				"  class name=a.One id=7\n   field name=x class=2\n"
				"  class name=a.Two id=7\n   field name=x class=2\n"
				"  class name=a.Own id=1 superType=" EVENT_TYPE
				"\n" START_FIELD REGION);
	proof_finds(0, "0 @68 fault a.None: a type has no number: ");
	proof_finds(1, "0 @68 fault a.Two: two types have the same number: 7");
	proof_finds(2, "0 @68 fault a.Own: an event type has a number of the format: "
		       "1");
	proof_in_all(3, 0);
}

Test(verify_types, misses_types_of_fields_and_annotations)
{
	picture(ROOT LONG_CLASS "  class name=a.E id=7 superType=" EVENT_TYPE
				"\n" START_FIELD
				"    annotation class=91\n   field name=y class=92\n"
				"   field name=z class=2 dimension=2\n"
				"   setting name=s class=2\n    annotation class=93\n"
				"   annotation class=94\n" REGION);
	proof_finds(0, "0 @68 fault a.E: the type of an annotation is not declared: "
		       "startTime: number 91");
	proof_finds(1, "0 @68 fault a.E: the type of a field is not declared: y: "
		       "number 92");
	proof_finds(2, "0 @68 fault a.E: a field has more than one dimension: z: 2");
	proof_finds(3, "0 @68 fault a.E: the type of an annotation is not declared: s: "
		       "number 93");
	proof_finds(4, "0 @68 fault a.E: the type of an annotation is not declared: "
		       "number 94");
	proof_in_all(5, 0);
}

Test(verify_types, says_why_a_type_cannot_be_decoded)
{
	picture(ROOT LONG_CLASS "  class name=a.Self id=7\n   field name=me class=7\n"
				"  class name=a.E id=8 superType=" EVENT_TYPE
				"\n" START_FIELD "   field name=self class=7\n" REGION);
	proof_finds(0, "0 @68 fault a.Self: a type cannot be decoded: me: a.Self");
	proof_finds(1, "0 @68 fault a.E: a type cannot be decoded: self: a.Self");
	proof_in_all(2, 0);
}

Test(verify_types, remarks_on_what_the_jdk_does_not_expect)
{
	picture(ROOT LONG_CLASS
		"  class name=a.E id=8 superType=" EVENT_TYPE "\n"
		"   field name=x class=2\n" START_FIELD
		"  class name=a.Simple id=9 simpleType=true\n   field name=a class=2\n"
		"   field name=b class=2\n");
	proof_finds(0, "0 @68 remark a.E: an event type does not begin with its start: "
		       "");
	proof_finds(1, "0 @68 remark a.Simple: a simple type has not one field: 2");
	proof_finds(2, "0 @68 remark : the metadata names no region: ");
	proof_in_all(0, 3);
}

Test(verify_types, looks_at_the_strings_of_metadata)
{
	unsigned char *text;

	picture(ROOT LONG_CLASS
		"  class name=a.abcdef id=9\n   field name=x class=2\n" REGION);
	text = memmem(proof.made.bytes, proof.made.size, "a.abcdef", 8);
	cr_assert_not_null(text);
	text -= 2; /* encoding and size */
	*text = STRING_UTF8;
	text[5] = 0xff;
	proof_again();
	proof_finds(0, "0 @%zu fault : a string is no UTF-8: ",
		    (size_t)(text + 2 - proof.made.bytes));
	proof_in_all(1, 0);
	/* The key 9, in as many bytes as the text had. */
	memcpy(text, "\2\x89\x80\x80\x80\x80\x80\x80\x80\0", 10);
	proof_again();
	proof_finds(0, "0 @%zu fault : a string is a key where none may be: ",
		    (size_t)(text - proof.made.bytes));
	proof_in_all(1, 0);
}

Test(verify_types, tells_metadata_that_is_not_in_use)
{
	size_t at;

	proof_begin(0);
	at = proof_here();
	writer_metadata(&proof.made.writer);
	proof_verify();
	proof_in_all(0, 0);
	proof_put(METADATA_AT, HEADER_SIZE);
	proof_again();
	proof_finds(0, "0 @%zu remark : there is newer metadata than that in use: ",
		    at);
	proof_in_all(0, 1);
	proof_put(METADATA_AT,
		  (int64_t)at + 1); /* inside of its size, which is padded */
	proof_again();
	proof_finds(0, "0 @%zu remark : the metadata in use is not among the events: ",
		    at + 1);
	proof_in_all(0, 1);
}
