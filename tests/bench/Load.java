package org.example.warehouse.orders.internal;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

import jdk.jfr.AnnotationElement;
import jdk.jfr.BooleanFlag;
import jdk.jfr.Category;
import jdk.jfr.Configuration;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Frequency;
import jdk.jfr.Label;
import jdk.jfr.MemoryAddress;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;
import jdk.jfr.Unsigned;
import jdk.jfr.ValueDescriptor;

/**
 * Makes a recording to measure with: Load FILE EVENTS
 *
 * Many threads emit EVENTS events of our own at the bottom of deep and varied stacks;
 * some of them also allocate, throw, contend for locks and use files, so that the
 * JVM's own events are there as well. What is emitted depends on seeds and counts
 * alone; times, and the JVM's events, differ from run to run. As in recordings of
 * real services, most events have a stack trace, with names of some length. Needs JDK
 * 17 or later; virtual threads take part where the JDK has them.
 */
public final class Load {
    private static final int PLATFORM_THREADS = 20;
    private static final int SPAWNERS = 4;
    private static final int EVENTS_PER_WALK = 5;
    private static final int EVENTS_PER_VIRTUAL_THREAD = 100;
    private static final int TRACES = 900;

    private static final Method START_VIRTUAL = virtualStarter();

    public static void main(String[] args) throws Exception {
        Path file = Path.of(args[0]);
        int events = Integer.parseInt(args[1]);
        Path scratch = Files.createTempFile("load", ".tmp");

        Configuration profile = Configuration.getConfiguration("profile");
        try (Recording recording = new Recording(profile)) {
            configure(recording);
            registerAll();
            recording.start();
            runThreads(events, scratch);
            recording.stop();
            recording.dump(file);
        } finally {
            Files.delete(scratch);
        }
    }

    /** The JVM's own events, without the limits that keep them rare. */
    private static void configure(Recording recording) {
        for (String name : List.of("FileRead", "FileWrite", "JavaMonitorEnter",
                "ThreadPark")) {
            recording.enable("jdk." + name).withThreshold(Duration.ZERO)
                .with("throttle", "off");
        }
        recording.enable("jdk.JavaExceptionThrow").with("throttle", "off");
        recording.enable("jdk.ObjectAllocationSample").with("throttle", "2000/s");
        recording.enable("jdk.ObjectAllocationInNewTLAB");
        recording.enable("jdk.ObjectAllocationOutsideTLAB");
        /* Of its own methods; a JDK older than 25 does not know this event. */
        recording.enable("jdk.MethodTiming").with("period", "1 s")
            .with("filter", Load.class.getName() + ";"
                + Worker.class.getName());
    }

    /** By one thread: JDK 17 can lock up when several use their first event at once. */
    private static void registerAll() {
        FlightRecorder.register(Tick.class);
        FlightRecorder.register(Step.class);
        FlightRecorder.register(Order.class);
        FlightRecorder.register(Request.class);
        FlightRecorder.register(Note.class);
        Context.FACTORY.register();
    }

    private static void runThreads(int events, Path scratch) throws Exception {
        int share = events / (PLATFORM_THREADS + SPAWNERS);
        int rest = events - share * (PLATFORM_THREADS + SPAWNERS);
        List<Thread> threads = new ArrayList<>();

        for (int i = 0; i < PLATFORM_THREADS; i++) {
            Worker worker = new Worker(i, share + (i == 0 ? rest : 0), scratch);
            threads.add(new Thread(worker, "worker-" + i));
        }
        for (int i = 0; i < SPAWNERS; i++) {
            int seed = 1000 * (i + 1);
            Runnable spawner = () -> spawn(seed, share, scratch);
            threads.add(new Thread(spawner, "spawner \u2116 " + i));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Emits its share from short-lived virtual threads, one after the other. */
    private static void spawn(int seed, int share, Path scratch) {
        for (int done = 0; done < share; done += EVENTS_PER_VIRTUAL_THREAD) {
            int part = Math.min(EVENTS_PER_VIRTUAL_THREAD, share - done);
            Worker worker = new Worker(seed + done, part, scratch);
            if (START_VIRTUAL == null) {
                worker.run();
                continue;
            }
            try {
                ((Thread) START_VIRTUAL.invoke(null, worker)).join();
            } catch (ReflectiveOperationException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static Method virtualStarter() {
        try {
            return Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    // --- what a thread does ---------------------------------------------------------

    private static final class Worker implements Runnable {
        private static final Object MONITOR = new Object();
        private static final ReentrantLock LOCK = new ReentrantLock();

        private final SplittableRandom random;
        private final Walk walk = new Walk();
        private final Texts texts;
        private final Path scratch;
        private final boolean hasFile;
        private int left;
        private Object kept;

        Worker(int seed, int events, Path scratch) {
            this.random = new SplittableRandom(seed);
            this.texts = new Texts(random);
            this.scratch = scratch;
            this.hasFile = seed % 4 == 0;
            this.left = events;
        }

        @Override
        public void run() {
            try (RandomAccessFile file = hasFile ? open() : null) {
                while (left > 0) {
                    boolean inContext = random.nextInt(64) == 0;
                    Event context = inContext ? Context.open(texts.id()) : null;
                    walk.start(trace(), this::emitSome);
                    disturb(random.nextInt(400), file);
                    if (context != null) {
                        context.commit();
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private RandomAccessFile open() throws IOException {
            return new RandomAccessFile(scratch.toFile(), "rw");
        }

        /** Some traces are frequent, most are rare. */
        private int trace() {
            double x = random.nextDouble();
            return (int) (TRACES * x * x * x);
        }

        private void emitSome() {
            for (int i = 0; i < EVENTS_PER_WALK && left > 0; i++, left--) {
                emit(random.nextInt(16));
            }
        }

        private void emit(int kind) {
            switch (kind) {
                case 0, 1 -> emitTick();
                case 2, 3 -> emitStep();
                case 4, 5, 6, 7, 8 -> emitOrder();
                case 9, 10, 11, 12 -> emitRequest();
                default -> emitNote();
            }
        }

        private void emitTick() {
            Tick tick = new Tick();
            tick.count = random.nextInt();
            tick.total = random.nextLong() >>> random.nextInt(64);
            tick.level = (short) random.nextInt(1000);
            tick.flags = (byte) random.nextInt();
            tick.mark = (char) ('a' + random.nextInt(26));
            tick.isLast = left == 1;
            tick.ratio = random.nextFloat();
            tick.mean = random.nextDouble() * 1e6;
            tick.commit();
        }

        private void emitStep() {
            Step step = new Step();
            step.begin();
            step.parent = random.nextInt(8) == 0 ? null : Thread.currentThread();
            step.phase = texts.word();
            step.waited = random.nextLong(5_000_000_000L);
            step.deadline = 1_700_000_000_000L + random.nextInt();
            step.commit();
        }

        private void emitOrder() {
            Order order = new Order();
            order.begin();
            order.id = texts.id();
            order.customer = texts.pooled();
            order.handler = LAYERS[random.nextInt(LAYERS.length)].getClass();
            order.size = random.nextLong(1L << random.nextInt(1, 44));
            order.load = random.nextFloat();
            order.rate = random.nextLong(2_000_000);
            order.commit();
        }

        private void emitRequest() {
            Request request = new Request();
            request.begin();
            request.path = texts.path();
            request.agent = texts.pooled();
            request.status = 200 + random.nextInt(4) * 100;
            request.buffer = 0x7f00_0000_0000L + random.nextInt(1 << 20) * 4096L;
            request.commit();
        }

        private void emitNote() {
            Note note = new Note();
            note.text = texts.any();
            note.commit();
        }

        /** What makes the JVM itself emit something. */
        private void disturb(int what, RandomAccessFile file) throws IOException {
            if (what < 8) {
                kept = new byte[random.nextInt(1 << (8 + what * 2))];
            } else if (what < 12) {
                fail(random.nextInt(1, 30));
            } else if (what < 14) {
                synchronized (MONITOR) {
                    linger();
                }
            } else if (what < 16) {
                LOCK.lock();
                try {
                    linger();
                } finally {
                    LOCK.unlock();
                }
            } else if (what < 40 && file != null) {
                useFile(file);
            }
        }

        private static void linger() {
            for (int i = 0; i < 3; i++) {
                Thread.yield();
            }
        }

        private void fail(int depth) {
            try {
                dig(depth);
            } catch (IllegalStateException e) {
                kept = e;
            }
        }

        private int dig(int depth) {
            if (depth == 0) {
                throw new IllegalStateException("nothing at \"" + texts.word() + '"');
            }
            return dig(depth - 1) + 1;
        }

        private void useFile(RandomAccessFile file) throws IOException {
            byte[] block = new byte[1 << random.nextInt(4, 13)];
            file.seek(random.nextInt(64) * 4096L);
            file.write(block);
            file.seek(random.nextInt(64) * 4096L);
            file.read(block);
        }
    }

    /** Strings of all kinds: short, long, recurring, not ASCII, to be escaped. */
    private static final class Texts {
        private static final String[] WORDS = {
            "parse", "route", "", "na\u00efve", "Stra\u00dfe", "\u65e5\u672c\u8a9e",
            "store", "\ud83d\ude80", "a<b>&c", "it's", "tab\there", "C:\\temp", null,
        };

        private final SplittableRandom random;

        Texts(SplittableRandom random) {
            this.random = random;
        }

        String word() {
            return WORDS[random.nextInt(WORDS.length)];
        }

        String id() {
            return Integer.toString(random.nextInt(1 << 30), 36);
        }

        /** Long enough, and often enough the same, for the recorder's string pool. */
        String pooled() {
            return "customer of the bench, number " + random.nextInt(2000);
        }

        String path() {
            StringBuilder path = new StringBuilder("/api/v1");
            for (int parts = random.nextInt(1, 4); parts > 0; parts--) {
                path.append('/').append(id());
            }
            return path.toString();
        }

        String any() {
            return switch (random.nextInt(6)) {
                case 0 -> word();
                case 1 -> "line one\nline \"two\"\r\n\u0001 " + random.nextInt(10);
                case 2 -> "\u00fcber " + word() + " \ud83e\udd80 " + id();
                case 3 -> "x".repeat(random.nextInt(200));
                case 4 -> path();
                default -> id();
            };
        }
    }

    // --- events ---------------------------------------------------------------------

    @Name("bench.Tick")
    @Label("Tick")
    @Description("Numbers of every type; no stack trace, no duration")
    @Category({"Bench", "Numbers"})
    @StackTrace(false)
    static final class Tick extends Event {
        @Unsigned
        int count;
        @DataAmount
        long total;
        short level;
        byte flags;
        char mark;
        @BooleanFlag
        boolean isLast;
        @Percentage
        float ratio;
        double mean;
    }

    @Name("bench.Step")
    @Label("Step")
    @Category({"Bench", "Work"})
    @StackTrace(false)
    static final class Step extends Event {
        Thread parent;
        String phase;
        @Timespan(Timespan.NANOSECONDS)
        long waited;
        @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
        long deadline;
    }

    @Name("bench.Order")
    @Label("Order \u2013 Processed")
    @Category({"Bench", "Work"})
    static final class Order extends Event {
        String id;
        String customer;
        Class<?> handler;
        @DataAmount(DataAmount.BYTES)
        long size;
        @Percentage
        float load;
        @Frequency
        @DataAmount(DataAmount.BITS)
        long rate;
    }

    @Name("bench.Request")
    @Label("HTTP Request")
    @Category({"Bench", "Work"})
    static final class Request extends Event {
        String path;
        String agent;
        int status;
        @MemoryAddress
        long buffer;
    }

    @Name("bench.Note")
    @Label("Note")
    @Category("Bench")
    static final class Note extends Event {
        String text;
    }

    /** Since JDK 25 an event can be the context of those that happen meanwhile. */
    private static final class Context {
        private static final EventFactory FACTORY = factory();

        static Event open(String trace) {
            Event event = FACTORY.newEvent();
            event.set(0, trace);
            event.begin();
            return event;
        }

        private static EventFactory factory() {
            List<AnnotationElement> ofType = List.of(
                new AnnotationElement(Name.class, "bench.Context"),
                new AnnotationElement(Label.class, "Context"),
                new AnnotationElement(StackTrace.class, false));
            List<AnnotationElement> ofField = new ArrayList<>();
            try {
                Class<? extends Annotation> contextual =
                    Class.forName("jdk.jfr.Contextual").asSubclass(Annotation.class);
                ofField.add(new AnnotationElement(contextual));
            } catch (ClassNotFoundException e) {
                // an older JDK: an event like others
            }
            ValueDescriptor trace = new ValueDescriptor(String.class, "trace", ofField);
            return EventFactory.create(ofType, List.of(trace));
        }
    }

    // --- stacks ---------------------------------------------------------------------

    /** Some of the calls a program's stack is made of; each goes on with the walk. */
    interface Layer {
        void enter(Walk walk);
    }

    private static final Layer[] LAYERS = {
        new Router(), new Codec(), new Store(), new Retry<String>(),
        new Router(), new Codec(), new Store(), walk -> walk.next(),
    };

    /** A way down through layers: the same trace number, the same stack. */
    static final class Walk {
        private long way;
        private int left;
        private Runnable work;

        void start(int trace, Runnable atBottom) {
            way = trace;
            left = (int) (turn(1 << 20) % 34);
            work = atBottom;
            next();
        }

        void next() {
            if (left-- <= 0) {
                work.run();
            } else {
                LAYERS[turn(LAYERS.length)].enter(this);
            }
        }

        int turn(int ways) {
            way = way * 6364136223846793005L + 1442695040888963407L;
            return (int) ((way >>> 33) % ways);
        }
    }

    static final class Router implements Layer {
        @Override
        public void enter(Walk walk) {
            switch (walk.turn(4)) {
                case 0:
                    walk.next();
                    break;
                case 1:
                    forward(walk, new String[0], true);
                    break;
                case 2:
                    Stream.of(walk).filter(w -> w != null).forEach(Walk::next);
                    break;
                default:
                    List.of(walk).forEach(this::accept);
                    break;
            }
        }

        private boolean forward(Walk walk, String[] names, boolean isLast) {
            walk.next();
            return isLast && names.length == 0;
        }

        private void accept(Walk walk) {
            walk.next();
        }
    }

    static final class Codec implements Layer {
        @Override
        public void enter(Walk walk) {
            if (walk.turn(2) == 0) {
                decode(new byte[0], 0L, 1.0, walk);
            } else {
                encode(new int[0][], 'c', walk);
            }
        }

        private long decode(byte[] bytes, long at, double scale, Walk walk) {
            walk.next();
            return at + bytes.length + (long) scale;
        }

        private char encode(int[][] grid, char first, Walk walk) {
            walk.next();
            return grid.length == 0 ? first : ' ';
        }
    }

    static final class Store implements Layer {
        @Override
        public void enter(Walk walk) {
            new HashMap<Integer, Integer>().computeIfAbsent(1, key -> load(key, walk));
        }

        private static Integer load(Integer key, Walk walk) {
            walk.next();
            return key;
        }
    }

    static class Retry<T> implements Layer {
        @Override
        public void enter(Walk walk) {
            try {
                attempt(null, walk);
            } finally {
                walk.turn(2);
            }
        }

        private T attempt(T otherwise, Walk walk) {
            walk.next();
            return otherwise;
        }
    }
}
