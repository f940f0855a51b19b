/**
 * Writes the table of src/jfc/identifier.c with the JDK that runs it: where the kind of
 * the characters changes, each place shifted by two bits, with the kind in them.
 */
public class Identifiers {
	static int kind(int point) {
		if (Character.isJavaIdentifierStart(point)) {
			return 2;
		}
		return Character.isJavaIdentifierPart(point) ? 1 : 0;
	}

	public static void main(String[] args) {
		int count = 0;

		for (int point = 0, last = -1; point <= Character.MAX_CODE_POINT; point++) {
			if (kind(point) == last) {
				continue;
			}
			last = kind(point);
			System.out.printf("%s0x%x,", count % 8 == 0 ? "\t" : " ", point << 2 | last);
			if (++count % 8 == 0) {
				System.out.println();
			}
		}
		System.out.println();
	}
}
