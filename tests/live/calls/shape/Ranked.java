package shape;

import tally.Count;

/** Compared through a bridge, which who calls it counts. */
public class Ranked implements Comparable<Ranked> {
	private final int rank;

	public Ranked(int rank) {
		Count.at("shape.Ranked.<init>(int)");
		this.rank = rank;
	}

	@Override
	public int compareTo(Ranked other) {
		Count.at("shape.Ranked.compareTo(Ranked)");
		return Integer.compare(rank, other.rank);
	}

	/** By the bridge. */
	public static <T extends Comparable<T>> boolean isBelow(T a, T b) {
		Count.at("shape.Ranked.isBelow(Comparable, Comparable)");
		Count.at("shape.Ranked.compareTo(Object)");
		return a.compareTo(b) < 0;
	}
}
