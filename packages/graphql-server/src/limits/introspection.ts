import {
  defaultFieldResolver,
  getNullableType,
  introspectionTypes,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { countedResolver } from './items-plugin.ts';

// The types of introspection are those of GraphQL.js, which no plugin of a schema reaches: their fields are counted, and
// completed in turns, as others are.
for (const type of introspectionTypes.filter(isObjectType)) {
  for (const field of Object.values(type.getFields())) {
    const given = getNullableType(field.type);
    const kind = isListType(given) ? 'List' : isLeafType(given) ? 'Scalar' : 'Object';
    field.resolve = countedResolver(field.resolve ?? defaultFieldResolver, kind);
  }
}
