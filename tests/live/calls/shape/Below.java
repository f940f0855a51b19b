package shape;

import tally.Count;

/** Below Base, and so below Sized; its static initialiser is of it, too. */
public class Below extends Base {
	static {
		Count.at("shape.Below.<clinit>()");
	}

	public Below() {
		Count.at("shape.Below.<init>()");
	}

	@Override
	public int size() {
		Count.at("shape.Below.size()");
		return super.size() + 1;
	}

	/** Not below Base: it only is in there. */
	public static class Nested {
		public Nested() {
			Count.at("shape.Below$Nested.<init>()");
		}
	}

	public static class Deeper extends Below {
		public Deeper() {
			Count.at("shape.Below$Deeper.<init>()");
		}

		@Override
		public int half() {
			Count.at("shape.Below$Deeper.half()");
			return 7;
		}
	}
}
