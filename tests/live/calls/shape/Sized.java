package shape;

import tally.Count;

/** Above others, as an interface. */
public interface Sized {
	int size();

	default int half() {
		Count.at("shape.Sized.half()");
		return size() / 2;
	}
}
