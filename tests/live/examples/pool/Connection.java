package pool;

/** Goes back to its pool when it is closed. */
final class Connection implements AutoCloseable {
	private final Pool pool;
	private final int number;

	Connection(Pool pool, int number) {
		this.pool = pool;
		this.number = number;
	}

	int query(String text) {
		if (text.isEmpty())
			throw new IllegalArgumentException("an empty query");
		return text.length() + number;
	}

	@Override
	public void close() {
		pool.giveBack(this);
	}
}
