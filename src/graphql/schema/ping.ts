import { builder } from './builder.ts';

const PingResult = builder.objectRef<{ status: string }>('PingResult').implement({
  description: 'The answer to a ping.',
  fields: (t) => ({
    status: t.exposeString('status', { description: '`ok` when the API key is accepted.' }),
  }),
});

builder.queryField('ping', (t) =>
  t.field({
    type: PingResult,
    description: 'Checks that the API key is accepted. Needs a good key and nothing else.',
    access: 'key',
    cacheScope: 'nothing',
    resolve: () => ({ status: 'ok' }),
  }),
);
