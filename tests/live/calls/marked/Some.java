package marked;

import tally.Count;

/** Single methods of it; the others are not. */
public class Some {
	@Timed
	public Some() {
		Count.at("marked.Some.<init>()");
	}

	@Timed("first")
	public int first(@Hidden int v) {
		Count.at("marked.Some.first(int)");
		if (v == 0)
			throw new IllegalArgumentException();
		return v;
	}

	@Hidden
	public int second(@Timed int v) {
		Count.at("marked.Some.second(int)");
		return v;
	}

	@SuppressWarnings("unused")
	@Deprecated
	@Timed(numbers = 1)
	public static void third() {
		Count.at("marked.Some.third()");
	}

	public void fourth() {
		Count.at("marked.Some.fourth()");
	}
}
