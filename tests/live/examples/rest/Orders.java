package rest;

import java.util.ArrayList;
import java.util.List;

/** Answers for the orders. */
public final class Orders {
	private final List<String> orders = new ArrayList<>();

	@GET("/orders")
	public String list() {
		return orders.toString();
	}

	@POST("/orders")
	public String add() {
		if (orders.size() == 5)
			throw new IllegalStateException("too many orders");
		orders.add("order " + orders.size());
		return "added";
	}

	@GET("/orders/statistics")
	public String statistics() {
		return "nobody asks for these";
	}
}
