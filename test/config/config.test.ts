import { StartupError } from '@service/errors';
import { addressParameters } from '@service/postgres/address';
import { connectionOptions } from '@service/postgres/options';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Config, logLevels, parseConfig, variables } from '../../src/config.ts';
import { makeApiKey } from '../../src/validation/api-key-form.ts';

/** The error message for an environment; `null` when it is valid. */
function problemsOf(env: Readonly<Record<string, string>>): string | null {
  try {
    parseConfig(env);
    return null;
  } catch (problem) {
    if (!(problem instanceof StartupError)) throw problem;
    return problem.message;
  }
}

const integers: readonly (readonly [keyof Config, number, number])[] = [
  ['PORT', 0, 65_535],
  ['METRICS_PORT', 0, 65_535],
  ['AUTH_FAILURES_PER_MINUTE', 1, 1_000_000],
  ['RATE_LIMIT_PER_MINUTE', 1, 1_000_000],
  ['TRUSTED_PROXY_HOPS', 0, 10],
  ['BODY_LIMIT_BYTES', 1_024, 10_485_760],
  ['RESPONSE_MAX_BYTES', 1_024, 1_073_741_824],
  ['RESPONSE_CACHE_MAX_BYTES', 0, 10_737_418_240],
];

describe('the configuration', () => {
  it('has defaults for required values, and leaves the others unset', () => {
    const config = parseConfig({});
    expect(config).toMatchObject({
      PORT: 4000,
      HOST: '127.0.0.1',
      DATA_DIR: './data',
      JWT_ROLES_CLAIM: 'roles',
      AUTH_FAILURES_PER_MINUTE: 300,
      TRUSTED_PROXY_HOPS: 0,
      BODY_LIMIT_BYTES: 102_400,
      RESPONSE_MAX_BYTES: 8_388_608,
      LOG_LEVEL: 'info',
    });
    const unset = ['DATABASE_URL', 'BOOTSTRAP_API_KEY', 'JWT_SECRET', 'JWT_JWKS_URL', 'JWT_ISSUER', 'JWT_AUDIENCE'];
    for (const name of [...unset, 'METRICS_PORT']) expect(config).not.toHaveProperty(name);
  });

  it('treats a blank variable as unset', () => {
    for (const blank of ['', ' ', '\t\n']) {
      const env = Object.fromEntries(Object.keys(variables).map((name) => [name, blank]));
      expect(parseConfig(env)).toEqual(parseConfig({}));
    }
    expect(parseConfig({ PORT: undefined })).toEqual(parseConfig({}));
  });

  it('ignores unknown variables', () => {
    expect(parseConfig({ PATH: '/bin', npm_config_port: 'x', port: 'x', NODE_ENV: 'test' })).toEqual(parseConfig({}));
  });
});

describe('the map of roles', () => {
  it('has a role for each name of the identity provider', () => {
    const { JWT_ROLE_MAP } = parseConfig({ JWT_ROLE_MAP: ' Staff = editor,CN=it=admin' });
    expect(JWT_ROLE_MAP).toEqual(
      new Map([
        ['Staff', 'editor'],
        ['CN=it', 'admin'],
      ]),
    );
  });

  it.each([
    ['CN=Staff\\,OU=Groups\\,DC=uni=editor,b=viewer', 'CN=Staff,OU=Groups,DC=uni'],
    ['UNI\\staff=editor,b=viewer', 'UNI\\staff'],
    ['UNI\\\\=editor,b=viewer', 'UNI\\'],
    ['a\\\\\\,b=editor,b=viewer', 'a\\,b'],
  ])('has a backslash before a comma of a name: %s', (text, name) => {
    expect(parseConfig({ JWT_ROLE_MAP: text }).JWT_ROLE_MAP).toEqual(
      new Map([
        [name, 'editor'],
        ['b', 'viewer'],
      ]),
    );
  });

  it.each(['staff', 'staff=', '=editor', 'staff=editor,', 'staff=Editor', 'staff=root', 'a=admin,a=guest'])(
    'is rejected when it is %j',
    (text) => {
      expect(problemsOf({ JWT_ROLE_MAP: text })).toBe(
        'JWT_ROLE_MAP must be pairs such as staff=editor,it-admins=admin, with the roles guest, viewer, editor, admin',
      );
    },
  );
});

describe('a number', () => {
  it.each(integers)('in %s must be from %i to %i', (name, min, max) => {
    const message = `${name} must be a whole number from ${min} to ${max}`;
    for (const good of [min, max]) expect(parseConfig({ [name]: String(good) })).toMatchObject({ [name]: good });
    for (const bad of [min - 1, max + 1]) expect(problemsOf({ [name]: String(bad) })).toBe(message);
    for (const bad of ['abc', '1.5', '1e3', '+1', '-1', '0x10', '1 000', ' 80', '1,000', '9'.repeat(400), 'Infinity']) {
      expect([bad, problemsOf({ [name]: bad })]).toEqual([bad, message]);
    }
  });

  it('in METRICS_PORT must differ from PORT', () => {
    const message = 'METRICS_PORT must be another port than PORT';
    expect(problemsOf({ METRICS_PORT: '4000' })).toBe(message);
    expect(problemsOf({ PORT: '9000', METRICS_PORT: '9000' })).toBe(message);
    expect(problemsOf({ PORT: '9000', METRICS_PORT: '9000', LOG_LEVEL: 'loud' })?.split('\n')).toContain(message);
    expect(problemsOf({ PORT: '0', METRICS_PORT: '0' })).toBeNull();
    expect(problemsOf({ PORT: '9000', METRICS_PORT: '9001' })).toBeNull();
  });
});

describe('a URL', () => {
  it.each([
    ['postgresql://user:password@host:5432/name'],
    ['postgres://host/name?sslmode=require'],
    ['postgresql://user:p%40ss@[::1]/name'],
    ['postgresql:///name?host=/run/postgresql'],
  ])('of a database may be %s', (url) => {
    // The driver warns of meanings of `sslmode` that will change.
    const warn = vi.spyOn(process, 'emitWarning');
    onTestFinished(() => warn.mockRestore());

    expect(parseConfig({ DATABASE_URL: url }).DATABASE_URL).toBe(url);
    expect(new Client(connectionOptions(url)).host).not.toBe('');
    expect(warn).not.toHaveBeenCalled();
  });

  it.each([
    ['postgresql://user@/name?host=/run/postgresql', 'postgresql://user@localhost/name?host=/run/postgresql'],
    ['postgres://user:p@/name?host=/cloudsql/a:b:c', 'postgres://user:p@localhost/name?host=/cloudsql/a:b:c'],
    ['postgresql://user@?host=/run/postgresql', 'postgresql://user@localhost?host=/run/postgresql'],
  ])('of a socket, %s, gets the host localhost', (given, url) => {
    expect(parseConfig({ DATABASE_URL: given }).DATABASE_URL).toBe(url);
  });

  it('of a database must be one of PostgreSQL', () => {
    const message = 'DATABASE_URL must be an address such as postgresql://user:password@host:5432/name';
    for (const url of ['host:5432', 'localhost', 'mysql://host/name', 'http://host', 'postgresql://host:99999', 'x']) {
      expect([url, problemsOf({ DATABASE_URL: url })]).toEqual([url, message]);
    }
  });

  it.each([
    ['postgresql://user:p,w@a,b/name', 'postgresql://user:p,w@localhost/name?host=a%2Cb'],
    ['postgresql://a:1,b/name?sslmode=require', 'postgresql://localhost/name?sslmode=require&host=a%2Cb&port=1%2C'],
    ['postgresql://user@/name?host=a,b&port=5432', 'postgresql://user@localhost/name?host=a,b&port=5432'],
    ['postgresql:///name?host=a%2Cb&target_session_attrs=read-write', undefined],
    ['postgresql://a/name?target_session_attrs=primary', undefined],
  ])('of a database may list several hosts: %s', (given, url = given) => {
    expect(parseConfig({ DATABASE_URL: given, DATABASE_DIRECT_URL: given })).toMatchObject({
      DATABASE_URL: url,
      DATABASE_DIRECT_URL: url,
    });
  });

  it.each([
    'postgresql://a:1,b:x/name',
    'postgresql://a:1,b:99999/name',
    'postgresql://a,,b/name',
    'postgresql:///name?host=a,b,c&port=1,2',
  ])('of a database must have a host and a port in each place of its list, unlike %s', (DATABASE_URL) => {
    expect(problemsOf({ DATABASE_URL })).toBe(
      'DATABASE_URL must list its hosts as host1:port1,host2:port2, or with one port for all',
    );
  });

  it('of a database must ask for a server that accepts writes', () => {
    for (const target of ['standby', 'prefer-standby', 'read-only', 'other', '']) {
      expect(problemsOf({ DATABASE_URL: `postgresql://a,b/name?target_session_attrs=${target}` })).toBe(
        'DATABASE_URL must have a target_session_attrs of any, read-write, primary: the service writes',
      );
    }
  });

  it('of a database must name certificates that can be read', () => {
    const [host, message] = [
      'postgresql://host/name',
      'DATABASE_URL must name files that can be read: sslrootcert, sslcert, sslkey',
    ];
    for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
      expect(problemsOf({ DATABASE_URL: `${host}?${name}=/nowhere.pem` })).toBe(message);
      expect(problemsOf({ DATABASE_URL: `${host}?${name}=${import.meta.filename}` })).not.toBe(message);
    }
  });

  it.each(['schema=catalog', 'connection_limit=5', 'sslmdoe=verify-full', 'keepalive=1', 'SSLMODE=disable'])(
    'of a database must have no parameter that would be ignored, such as %s',
    (parameter) => {
      expect(problemsOf({ DATABASE_URL: `postgresql://host/name?sslmode=disable&${parameter}` })).toBe(
        `DATABASE_URL must have no other parameters than ${addressParameters.join(', ')}; the tables are in the schema public`,
      );
    },
  );

  it.each([
    ['sslmode=require&channel_binding=require', { keepAlive: true, enableChannelBinding: true }],
    ['channel_binding=prefer', { enableChannelBinding: true }],
    ['channel_binding=disable&gssencmode=prefer', { enableChannelBinding: false }],
    ['gssencmode=disable&keepalives=0', { keepAlive: false }],
    [
      'keepalives=1&keepalives_idle=30&keepalives_interval=10&keepalives_count=5',
      { keepAlive: true, keepAliveInitialDelayMillis: 30_000 },
    ],
    ['keepalives_idle=7', { keepAlive: true, keepAliveInitialDelayMillis: 7_000 }],
  ])('of a database may say how bytes travel, as others write it: %s', (parameters, options) => {
    const url = `postgresql://host/name?${parameters}`;
    expect(connectionOptions(parseConfig({ DATABASE_URL: url }).DATABASE_URL ?? '')).toMatchObject(options);
  });

  it.each(['channel_binding=always', 'gssencmode=require', 'keepalives=yes', 'keepalives_idle=-1'])(
    'of a database must say nothing that could not be kept, such as %s',
    (parameter) => {
      expect(problemsOf({ DATABASE_URL: `postgresql://host/name?${parameter}` })).toBe(
        'DATABASE_URL must have a channel_binding of disable, prefer or require, a gssencmode of disable or prefer (Node.js has no GSSAPI), and whole numbers for keepalives',
      );
    },
  );

  it.each(['p#ss', 'p/ss', 'p?ss', '12#45', 'p@s/s', 'a,b/c', '/', '#@'])(
    'of a database must have the password %s encoded',
    (password) => {
      expect(problemsOf({ DATABASE_URL: `postgresql://user:${password}@host/name` })).toBe(
        'DATABASE_URL must have every /, ?, # and @ of a name or password written as %2F, %3F, %23 and %40',
      );
      const url = `postgresql://user:${encodeURIComponent(password)}@host/name`;
      expect(new Client(connectionOptions(parseConfig({ DATABASE_URL: url }).DATABASE_URL ?? '')).password).toBe(
        password,
      );
    },
  );

  it('of a database must be decodable', () => {
    for (const url of [
      'postgresql://u:p%zz@host/name',
      'postgresql://u:100%@host/name',
      'postgresql://host/%E0%A4%A',
    ]) {
      expect(problemsOf({ DATABASE_URL: url })).toBe(
        'DATABASE_URL must have every % of a name or password written as %25',
      );
    }
  });

  it('of public keys must be http or https, without credentials', () => {
    for (const url of ['https://id.example.org/keys', 'http://127.0.0.1:9/jwks.json']) {
      expect(parseConfig({ JWT_JWKS_URL: url }).JWT_JWKS_URL).toBe(url);
    }
    for (const url of ['id.example.org', '/keys', 'file:///keys', 'ftp://host', 'javascript:1']) {
      expect([url, problemsOf({ JWT_JWKS_URL: url })]).toEqual([url, 'JWT_JWKS_URL must be an http or https address']);
    }
    for (const url of ['https://user@host/keys', 'https://:secret@host/keys']) {
      expect(problemsOf({ JWT_JWKS_URL: url })).toBe('JWT_JWKS_URL must not have a user or a password in it');
    }
  });
});

describe('CORS origins', () => {
  it('are comma-separated, in the form that browsers send', () => {
    const origins = ['https://dashboards.example.org', 'http://localhost:5173', 'http://[::1]:3000'];
    expect(parseConfig({ CORS_ORIGINS: ` ${origins.join(' ,')} ` }).CORS_ORIGINS).toEqual(origins);
  });

  it('are rejected in any other form', () => {
    const one = 'https://example.org';
    for (const list of [
      '*',
      'null',
      'example.org',
      `${one}/`,
      `${one}:443`,
      `${one},`,
      `${one} ${one}`,
      'HTTPS://A.b',
    ]) {
      expect([list, problemsOf({ CORS_ORIGINS: list })]).toEqual([
        list,
        'CORS_ORIGINS must be origins such as https://dashboards.example.org, with commas between them',
      ]);
    }
  });
});

it('a CORS origin with a * is rejected: it would match none', () => {
  for (const list of ['https://*.example.org', 'https://example.org,https://*'])
    expect(problemsOf({ CORS_ORIGINS: list })).toBe('CORS_ORIGINS must name each origin: a * in it matches none');
});

describe('JWT_SECRET', () => {
  it('has at least 32 bytes', () => {
    for (const secret of ['x'.repeat(32), 'é'.repeat(16), 'x'.repeat(500)])
      expect(parseConfig({ JWT_SECRET: secret }).JWT_SECRET).toBe(secret);
    for (const secret of ['x'.repeat(31), 'é'.repeat(15), 'short']) {
      expect(problemsOf({ JWT_SECRET: secret })).toBe(
        'JWT_SECRET must be at least 32 bytes long: a shorter secret can be guessed from a token',
      );
    }
  });
});

describe('BOOTSTRAP_API_KEY', () => {
  it('accepts 24 to 200 visible ASCII characters, or a generated key', () => {
    for (const key of ['x'.repeat(24), '~!'.repeat(100), 'uas'.repeat(8), makeApiKey()]) {
      expect(parseConfig({ BOOTSTRAP_API_KEY: key }).BOOTSTRAP_API_KEY).toBe(key);
    }
  });

  it.each([
    ['x'.repeat(23), 'must be at least 24 characters long'],
    ['x'.repeat(201), 'must be at most 200 characters long'],
    [`${'x'.repeat(24)} x`, 'must be visible ASCII characters without spaces'],
    [`${'x'.repeat(24)}é`, 'must be visible ASCII characters without spaces'],
    [`Bearer ${'x'.repeat(24)}`, 'must be visible ASCII characters without spaces'],
    [`${'x'.repeat(24)}\n`, 'must be visible ASCII characters without spaces'],
    ['a b', 'must be visible ASCII characters without spaces, must be at least 24 characters long'],
  ])('rejects %j', (key, problem) => {
    expect(problemsOf({ BOOTSTRAP_API_KEY: key })).toBe(`BOOTSTRAP_API_KEY ${problem}`);
  });

  it('rejects a mistyped generated key, which would fail every request', () => {
    const key = makeApiKey();
    const problem = 'starts with uas_ but is not a valid generated key; was it truncated?';
    for (const mistyped of [key.slice(0, -1), `${key}x`, `${key.slice(0, -1)}_`, `uas_${'x'.repeat(38)}`]) {
      expect(problemsOf({ BOOTSTRAP_API_KEY: mistyped })).toBe(`BOOTSTRAP_API_KEY ${problem}`);
    }
  });
});

describe('LOG_LEVEL', () => {
  it('accepts only known levels', () => {
    for (const level of logLevels) expect(parseConfig({ LOG_LEVEL: level }).LOG_LEVEL).toBe(level);
    for (const level of ['INFO', 'verbose', '30', 'toString', '__proto__']) {
      expect(problemsOf({ LOG_LEVEL: level })).toBe(
        'LOG_LEVEL must be one of silent, fatal, error, warn, info, debug, trace',
      );
    }
  });
});

describe('configuration errors', () => {
  const secret = 'Zq7';
  const bad = {
    PORT: secret,
    DATABASE_URL: `mysql://u:${secret}@host`,
    BOOTSTRAP_API_KEY: `${secret} ${secret}`,
    JWT_JWKS_URL: `ftp://${secret}`,
    AUTH_FAILURES_PER_MINUTE: `0${secret}`,
    TRUSTED_PROXY_HOPS: secret,
    BODY_LIMIT_BYTES: secret,
    RESPONSE_MAX_BYTES: secret,
    METRICS_PORT: secret,
    LOG_LEVEL: secret,
  };

  it('are reported together, one line for each variable', () => {
    const lines = problemsOf(bad)?.split('\n') ?? [];
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual(Object.keys(bad).sort());
  });

  it('never contain a value', () => {
    expect(problemsOf(bad)).not.toContain(secret);
  });
});
