package marked;

import tally.Count;

/** All methods of it, by the annotation of the class. */
@Deprecated
@Timed(value = "whole", numbers = {1, 2, 3})
public class Whole {
	public Whole() {
		Count.at("marked.Whole.<init>()");
	}

	public int a(int v) {
		Count.at("marked.Whole.a(int)");
		return v;
	}

	public static int b() {
		Count.at("marked.Whole.b()");
		return 1;
	}

	/** A class of its own, without the annotation. */
	public static class Nested {
		public Nested() {
			Count.at("marked.Whole$Nested.<init>()");
		}
	}
}
