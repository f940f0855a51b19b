package payments;

/** One payment after the other; one in twenty is slow. */
public final class Main {
	private Main() {
	}

	private static void checkout(PaymentService service, String customer)
			throws InterruptedException {
		String receipt = service.charge(customer, 20);
		if (receipt.isEmpty())
			throw new AssertionError();
	}

	private static void renew(PaymentService service, String customer)
			throws InterruptedException {
		service.charge(customer, 5);
	}

	public static void main(String[] args) throws InterruptedException {
		PaymentService service = new PaymentService();
		for (int i = 1; ; i++) {
			if (i % 20 == 0)
				renew(service, "far away " + i);
			else
				checkout(service, "near " + i);
			if (i % 100 == 0)
				System.out.println(i + " payments");
		}
	}
}
