/**
 * For comparison: the same REST responses by Fastify and `pg`, with prepared statements that make the JSON in SQL. No
 * keys, no audit, no idempotency, no metrics. Argument: the database's address.
 */
import fastify from 'fastify';
import { Pool } from 'pg';

const [connectionString = ''] = process.argv.slice(2);
const pool = new Pool({ connectionString, max: 10 });
const app = fastify();

const one = {
  name: 'one',
  text: `SELECT json_build_object('id', p.id, 'name', p.name, 'duration', p.duration, 'branches', COALESCE(
      (SELECT json_agg(json_build_object('id', b.id, 'name', b.name, 'description', b.description) ORDER BY b.id)
       FROM branches b WHERE b.program_id = p.id AND b.deleted_at IS NULL), '[]'))::text AS body
    FROM programs p WHERE p.id = $1 AND p.deleted_at IS NULL`,
};
const page = {
  name: 'page',
  text: `SELECT json_build_object('items', COALESCE(json_agg(json_build_object(
        'id', p.id, 'name', p.name, 'duration', p.duration) ORDER BY p.id), '[]'),
      'pageNumber', $1::int, 'pageSize', $2::int, 'totalPages', ceil(c.count::numeric / $2)::int, 'count', c.count,
      'hasPreviousPage', $1 > 1, 'hasNextPage', $1 < ceil(c.count::numeric / $2))::text AS body
    FROM (SELECT count(*)::int AS count FROM programs WHERE deleted_at IS NULL) c
    LEFT JOIN (SELECT * FROM programs WHERE deleted_at IS NULL ORDER BY id LIMIT $2 OFFSET ($1 - 1) * $2) p ON true
    GROUP BY c.count`,
};
const create = {
  name: 'create',
  text: `INSERT INTO programs (name, duration) VALUES ($1, $2)
    RETURNING json_build_object('id', id, 'name', name, 'duration', duration)::text AS body`,
};

app.get<{ Params: { id: string } }>('/v1/api/academics/programs/:id', async (request, reply) => {
  const { rows } = await pool.query({ ...one, values: [Number(request.params.id)] });
  if (rows[0] === undefined) return reply.code(404).send({ message: 'There is no such program.' });
  return reply.type('application/json').send(rows[0].body);
});

app.get<{ Querystring: { page?: string; size?: string } }>('/v1/api/academics/programs', async (request, reply) => {
  const { page: number = 1, size = 20 } = request.query;
  const { rows } = await pool.query({ ...page, values: [Number(number), Number(size)] });
  return reply.type('application/json').send(rows[0].body);
});

app.post<{ Body: { name: string; duration: string } }>('/v1/api/academics/programs', async (request, reply) => {
  const { rows } = await pool.query({ ...create, values: [request.body.name, request.body.duration] });
  return reply.code(201).type('application/json').send(rows[0].body);
});

process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
