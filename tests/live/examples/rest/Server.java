package rest;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;

/** Finds the methods for requests by their annotations, as frameworks do. */
public final class Server {
	private final Map<String, Method> methods = new HashMap<>();
	private final Map<String, Object> objects = new HashMap<>();

	private Server(Object... resources) {
		for (Object each : resources)
			for (Method method : each.getClass().getDeclaredMethods()) {
				if (method.isAnnotationPresent(GET.class))
					add("GET " + method.getAnnotation(GET.class).value(), each, method);
				if (method.isAnnotationPresent(POST.class))
					add("POST " + method.getAnnotation(POST.class).value(), each, method);
			}
	}

	private void add(String request, Object object, Method method) {
		methods.put(request, method);
		objects.put(request, object);
	}

	private int answer(String request) throws IllegalAccessException {
		try {
			methods.get(request).invoke(objects.get(request));
			return 200;
		} catch (InvocationTargetException e) {
			return 500;
		}
	}

	public static void main(String[] args) throws IllegalAccessException {
		Server server = new Server(new Products(), new Orders());
		int failed = 0;
		for (int i = 0; i < 10; i++)
			for (String request : new String[] {"GET /products", "GET /products/1",
				"GET /orders", "POST /orders", "GET /orders"})
				failed += server.answer(request) == 500 ? 1 : 0;
		System.out.println("50 requests, " + failed + " failed");
	}
}
