import { Lexer, Source, TokenKind } from 'graphql';
import { limitExceeded, linesMax, nestingMax, tokensMax } from './limits.ts';

/**
 * Applies the limits of tokens, lines and nesting, before the text is parsed.
 * @throws GraphQLError naming the limit; or the lexer's own for a syntax error.
 */
export function limitTokens(text: string | Source): void {
  const lexer = new Lexer(typeof text === 'string' ? new Source(text) : text);
  let tokens = 0;
  /** Open parentheses: the grammar lets arguments nest without limit. */
  let parentheses = 0;
  let nesting = 0;
  for (let { kind } = lexer.advance(); kind !== TokenKind.EOF; { kind } = lexer.advance()) {
    tokens += 1;
    if (tokens > tokensMax) {
      throw limitExceeded(`The document has more than ${tokensMax} tokens. Split it into several requests.`);
    }
    if (kind === TokenKind.PAREN_L) parentheses += 1;
    if (kind === TokenKind.PAREN_R) parentheses -= 1;
    if (parentheses === 0) nesting = 0;
    else if (kind === TokenKind.BRACKET_L || kind === TokenKind.BRACE_L) nesting += 1;
    else if (kind === TokenKind.BRACKET_R || kind === TokenKind.BRACE_R) nesting -= 1;
    if (nesting > nestingMax) {
      throw limitExceeded(`An argument is nested more than ${nestingMax} levels deep. Send it as a variable.`);
    }
  }
  if (lexer.line > linesMax) {
    throw limitExceeded(`The document has more than ${linesMax} lines. Remove empty ones.`);
  }
}
