package rest;

/** Answers for the products; not all that it has is for requests. */
public final class Products {
	@GET("/products")
	public String list() {
		return find(1) + ", " + find(2);
	}

	@GET("/products/1")
	public String first() throws InterruptedException {
		Thread.sleep(20);
		return find(1);
	}

	private String find(int number) {
		return "product " + number;
	}
}
