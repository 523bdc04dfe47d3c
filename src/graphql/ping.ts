import { ping } from '../operations/ping.ts';
import { builder } from './builder.ts';
import { reads } from './performing.ts';

const PingResult = builder.objectRef<{ status: string }>('PingResult').implement({
  description: 'The result of `ping`.',
  fields: (t) => ({
    status: t.exposeString('status', { description: '`ok` when the API key is accepted.' }),
  }),
});

builder.queryField('ping', (t) =>
  t.field({
    type: PingResult,
    description: 'Checks that the API key is accepted. Requires a valid key and no permission.',
    ...reads(ping),
  }),
);
