#include <criterion/criterion.h>
#include <string.h>

#include "host/secret.h"

Test(secret, is_told_by_a_name)
{
	static const char *const names[] = {
		"password",
		"PASSWORD",
		"db.password",
		"DB_PASSWORD",
		"dbPassword",
		"DBPassword",
		"PGPASSWORD",
		"passwords",
		"javax.net.ssl.keyStorePassword",
		"passwd",
		"MYSQL_PWD",
		"user.pwd",
		"passphrase",
		"ssh-pass",
		"SSHPASS",
		"secret",
		"CLIENT_SECRET",
		"clientSecret",
		"AWS_SECRET_ACCESS_KEY",
		"VAULT_SECRET_ID",
		"token",
		"GITHUB_TOKEN",
		"authToken",
		"authtoken",
		"api-key",
		"apiKey",
		"APIKey",
		"apikey",
		"OPENAI_API_KEY",
		"key",
		"keys",
		"encryption.key",
		"privatekey",
		"credentials",
		"GOOGLE_CREDENTIALS",
		"Authorization",
		"proxy-authorization",
		"--password",
		"__key__",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		cr_expect(secret_is_name(str_of(names[i])), "%s", names[i]);
}

Test(secret, is_not_told_by_other_names)
{
	static const char *const names[] = {
		"", ".", "PATH", "HOME", "user.name", "java.class.path", "keyboard",
		"monkey", "hotkeys", "PWD", "OLDPWD", "pwd", "bypass", "compass",
		"tokenizer", "tokenize.it", "java.security.auth.login.config",
		"javax.net.ssl.keyStore", "javax.net.ssl.keyStoreType", "password.file",
		"PASSWORD_FILE", "tokenPath", "key-size", "key.length", "keyAlias",
		"SSH_AUTH_SOCK", "java.vm.name", "turkey", "passenger", "author",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		cr_expect_not(secret_is_name(str_of(names[i])), "%s", names[i]);
}

/* Properties that each JVM has: none of them is hidden. */
Test(secret, is_nothing_that_a_jvm_has)
{
	static const char *const names[] = {
		"java.specification.version", "sun.jnu.encoding", "java.vm.vendor",
		"sun.arch.data.model", "java.vendor.url", "user.timezone", "os.name",
		"sun.boot.library.path", "sun.java.command", "jdk.debug",
		"sun.cpu.endian", "user.home", "user.language", "java.version.date",
		"java.home", "file.separator", "java.vm.compressedOopsMode",
		"line.separator", "java.awt.headless", "native.encoding",
		"java.runtime.name", "stdout.encoding", "java.io.tmpdir",
		"java.library.path", "java.class.version", "jdk.module.main.class",
		"sun.management.compiler", "java.vm.info", "path.separator",
		"jdk.internal.javac.source", "jdk.module.path", "http.nonProxyHosts",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		cr_expect_not(secret_is_name(str_of(names[i])), "%s", names[i]);
}

static void expect_line(const char *line, const char *wanted)
{
	struct buf to = { 0 };

	secret_add_line(&to, str_of(line), true);
	cr_expect(str_is((struct str){ to.bytes, to.size }, str_of(wanted)),
		  "%s: became %.*s", line, (int)to.size, to.bytes);
	buf_clear(&to);
}

static void expect_same(const char *line)
{
	expect_line(line, line);
}

Test(secret, goes_out_of_a_line)
{
	expect_line("java -Ddb.password=x -jar a.jar",
		    "java -Ddb.password=<redacted> -jar a.jar");
	expect_line("-Dkey=x", "-Dkey=<redacted>");
	expect_line("run --token=x --port=80", "run --token=<redacted> --port=80");
	expect_line("run --token x --port 80", "run --token <redacted> --port 80");
	expect_line("run --token   x", "run --token   <redacted>");
	expect_line("API_KEY=x ./run", "API_KEY=<redacted> ./run");
	expect_line(
		"docker run -e API_KEY=x --env=DB_PASSWORD=y image",
		"docker run -e API_KEY=<redacted> --env=DB_PASSWORD=<redacted> image");
	expect_line("-Dpassword=a=b&c,d;e f", "-Dpassword=<redacted> f");
	expect_line("--password -x y", "--password -x y");
	expect_line("-password=-x y", "-password=<redacted> y");
	expect_line("--password=\"a b\" c", "--password=\"<redacted>\" c");
	expect_line("--password='a \\' b' c", "--password='<redacted>' c");
	expect_line("--password \"a b\" c", "--password \"<redacted>\" c");
	expect_line(
		"-javaagent:a.jar=port=1,apiKey=x,token=y,mode=z",
		"-javaagent:a.jar=port=1,apiKey=<redacted>,token=<redacted>,mode=z");
}

Test(secret, goes_out_of_urls)
{
	expect_line("https://me:x@host/", "https://me:<redacted>@host/");
	expect_line("jdbc:postgresql://me:a@b@host:99/db?user=u&password=x&ssl=true y",
		    "jdbc:postgresql://me:<redacted>@host:99/db?user=u&password="
		    "<redacted>&ssl=true y");
	expect_line("http_proxy=http://u:p@proxy:3128",
		    "http_proxy=http://u:<redacted>@"
		    "proxy:3128");
	expect_line("jdbc:sqlserver://h;user=u;password=x;trust=true",
		    "jdbc:sqlserver://h;user=u;password=<redacted>;trust=true");
	expect_same("https://host:8080/a@b");
	expect_same("https://me@host/x:y");
	expect_same("https://me:@host/");
	expect_same("http://[::1]:80/");
	expect_same("a://");
}

Test(secret, goes_out_of_headers_and_json)
{
	expect_line("curl -H \"Authorization: Bearer x\" host",
		    "curl -H \"Authorization: Bearer <redacted>\" host");
	expect_line("Authorization: x y", "Authorization: <redacted> y");
	expect_line("X-Api-Key: x", "X-Api-Key: <redacted>");
	expect_line("{\"password\":\"a b\",\"user\":\"u\"}",
		    "{\"password\":\"<redacted>\",\"user\":\"u\"}");
	expect_line("{ \"token\" : \"x\" }", "{ \"token\" : \"<redacted>\" }");
	expect_line("{\"key\": 12, \"a\": 1}", "{\"key\": <redacted>, \"a\": 1}");
}

Test(secret, leaves_the_rest_of_a_line_alone)
{
	expect_same("");
	expect_same(" ");
	expect_same("java -cp /opt/key:/opt/token:/opt/x.jar a.Main");
	expect_same("-Dpassword= -Dother=1");
	expect_same("--password");
	expect_same("--password ");
	expect_same("the password is not here");
	expect_same("-Djavax.net.ssl.keyStore=/etc/store -XX:+UseG1GC");
	expect_same("=x := \" '");
	expect_same("\xff\xfe --x=\xff");
}

/* Arguments end with NULL. */
static void expect_arguments(const char *const *arguments, const char *wanted)
{
	struct buf to = { 0 };
	bool is_due = false;

	for (size_t i = 0; arguments[i]; i++) {
		if (i)
			buf_byte(&to, '|');
		secret_add_argument(&to, str_of(arguments[i]), &is_due, true);
	}
	cr_expect(str_is((struct str){ to.bytes, to.size }, str_of(wanted)),
		  "became %.*s", (int)to.size, to.bytes);
	buf_clear(&to);
}

#define ARGUMENTS(...) ((const char *const[]){ __VA_ARGS__, NULL })

Test(secret, goes_out_of_whole_arguments)
{
	expect_arguments(ARGUMENTS("java", "-Dpassword=a b c", "-jar", "x"),
			 "java|-Dpassword=<redacted>|-jar|x");
	expect_arguments(ARGUMENTS("run", "--token", "a b c", "--token", "", "x"),
			 "run|--token|<redacted>|--token||x");
	expect_arguments(ARGUMENTS("run", "--token", "--verbose", "x"),
			 "run|--token|--verbose|x");
	expect_arguments(ARGUMENTS("env", "API_KEY=a \"b\" c", "run"),
			 "env|API_KEY=<redacted>|run");
	expect_arguments(ARGUMENTS("sh", "-c", "run --password=x y"),
			 "sh|-c|run --password=<redacted> y");
	expect_arguments(ARGUMENTS("curl", "-H", "Authorization: Basic x", "host"),
			 "curl|-H|Authorization: Basic <redacted>|host");
	expect_arguments(ARGUMENTS("x", "--header=Authorization: x", "y"),
			 "x|--header=Authorization: <redacted>|y");
}

static void expect_value(const char *name, const char *value, bool redact,
			 const char *wanted)
{
	struct buf to = { 0 };

	secret_add_value(&to, str_of(name), str_of(value), redact);
	cr_expect(str_is((struct str){ to.bytes, to.size }, str_of(wanted)), "%s=%s",
		  name, value);
	buf_clear(&to);
}

Test(secret, goes_out_of_values)
{
	expect_value("DB_PASSWORD", "a b", true, "<redacted>");
	expect_value("DB_PASSWORD", "", true, "");
	expect_value("JAVA_TOOL_OPTIONS", "-Dtoken=x -Xmx1g", true,
		     "-Dtoken=<redacted> -Xmx1g");
	expect_value("PATH", "/bin:/opt/key:/x", true, "/bin:/opt/key:/x");
}

Test(secret, stays_if_it_is_wanted)
{
	struct buf to = { 0 };
	bool is_due = false;

	expect_value("DB_PASSWORD", "a b", false, "a b");
	secret_add_line(&to, STR("--token x "), false);
	secret_add_argument(&to, STR("--token"), &is_due, false);
	secret_add_argument(&to, STR("y"), &is_due, false);
	cr_expect(str_is((struct str){ to.bytes, to.size }, STR("--token x --tokeny")));
	buf_clear(&to);
}

/* Whatever it is, it ends, and only what was there or the stand-in comes out. */
Test(secret, can_be_any_bytes)
{
	static const char *const pieces[] = {
		"key", "=", ":", " ",  "\"", "'",      "-",
		"://", "@", "a", "\\", "{",  "Bearer",
	};
	enum { COUNT = sizeof(pieces) / sizeof(pieces[0]) };

	for (size_t i = 0; i < COUNT * COUNT * COUNT * COUNT; i++) {
		char line[64] = "";
		struct buf to = { 0 };
		bool is_due = i & 1;

		for (size_t rest = i, part = 0; part < 4; part++, rest /= COUNT)
			strcat(line, pieces[rest % COUNT]);
		secret_add_line(&to, str_of(line), true);
		secret_add_argument(&to, str_of(line), &is_due, true);
		cr_assert_not(to.failed);
		buf_clear(&to);
	}
}
