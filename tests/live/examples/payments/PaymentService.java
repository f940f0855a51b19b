package payments;

/** Charges customers, some of whom have a bank that takes its time. */
final class PaymentService {
	private int count;

	String charge(String customer, int amount) throws InterruptedException {
		count++;
		Thread.sleep(customer.startsWith("far") ? 600 : 2);
		return count + ": " + customer + " paid " + amount;
	}
}
