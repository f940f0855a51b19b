package startup;

import java.util.ArrayList;
import java.util.List;

/** Is filled when it is first used. */
final class Catalog {
	private static final List<String> PRODUCTS = new ArrayList<>();

	static {
		for (int i = 0; i < 1000; i++)
			PRODUCTS.add(Prices.format(i) + " for number " + i);
	}

	private Catalog() {
	}

	static int size() {
		return PRODUCTS.size();
	}
}
