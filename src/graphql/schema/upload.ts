import { GraphQLError } from 'graphql';
import { UploadedFile } from '../uploaded-file.ts';
import { builder } from './builder.ts';

builder.scalarType('Upload', {
  description:
    'A file of a request with `Content-Type: multipart/form-data`, by the GraphQL multipart request specification. Input only.',
  serialize: () => {
    throw new GraphQLError('Upload is an input type.');
  },
  parseValue: (value) => {
    if (value instanceof UploadedFile) return value;
    throw new GraphQLError('A file is sent as multipart/form-data, by the GraphQL multipart request specification.');
  },
});
