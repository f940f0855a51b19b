package pool;

import java.util.ArrayDeque;
import java.util.Deque;

/** A few connections, which are lent. */
final class Pool {
	private final Deque<Connection> free = new ArrayDeque<>();

	Pool(int size) {
		for (int i = 0; i < size; i++)
			free.push(new Connection(this, i));
	}

	/** Null: there is none any more. */
	synchronized Connection borrow() {
		return free.poll();
	}

	synchronized void giveBack(Connection connection) {
		free.push(connection);
	}
}
