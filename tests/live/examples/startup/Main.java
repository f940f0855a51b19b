package startup;

/** A shop that takes long to start, and nobody knows why. */
public final class Main {
	private Main() {
	}

	public static void main(String[] args) {
		System.out.println(Catalog.size() + " products, " + Countries.name("IS"));
	}
}
