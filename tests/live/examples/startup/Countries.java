package startup;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Quick. */
final class Countries {
	private static final Map<String, String> NAMES = new HashMap<>();

	static {
		for (String code : Locale.getISOCountries())
			NAMES.put(code, code.toLowerCase(Locale.ROOT));
	}

	private Countries() {
	}

	static String name(String code) {
		return NAMES.get(code);
	}
}
