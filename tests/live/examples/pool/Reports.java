package pool;

/** Forgets the connection if the query fails. */
final class Reports {
	private final Pool pool;

	Reports(Pool pool) {
		this.pool = pool;
	}

	int print(String query) {
		Connection connection = pool.borrow();
		int lines = connection.query(query);
		connection.close();
		return lines;
	}
}
