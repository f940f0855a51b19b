package pool;

/** Closes what it borrows, come what may. */
final class Orders {
	private final Pool pool;

	Orders(Pool pool) {
		this.pool = pool;
	}

	int count(String customer) {
		try (Connection connection = pool.borrow()) {
			return connection.query(customer);
		}
	}
}
