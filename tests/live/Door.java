/** Is there for two minutes, and says when it begins. */
public class Door {
    public static void main(String[] words) throws InterruptedException {
        System.out.println("up");
        Thread.sleep(120_000);
    }
}
