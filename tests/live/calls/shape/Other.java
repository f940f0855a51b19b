package shape;

import tally.Count;

/** Below the interface alone, by a lambda's class and by one of its own. */
public class Other implements Sized {
	public Other() {
		Count.at("shape.Other.<init>()");
	}

	@Override
	public int size() {
		Count.at("shape.Other.size()");
		return 10;
	}

	public static Sized lambda() {
		Count.at("shape.Other.lambda()");
		return () -> {
			Count.at("shape.Other.lambda$lambda$0()");
			return 20;
		};
	}
}
