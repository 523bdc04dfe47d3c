import * as z from 'zod/mini';
import { dropEmpty, id, optional, type SearchOf, text } from '../search-parameters.ts';

const notesSearch = z.object({ show: optional(z.enum(['open', 'mine', 'done'])), author: text, program: id });

export type NotesSearch = SearchOf<typeof notesSearch>;

export const parseNotesSearch = (search: Record<string, unknown>): NotesSearch => dropEmpty(notesSearch.parse(search));
