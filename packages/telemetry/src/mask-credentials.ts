/** An API key as the service issues them, and a JSON Web Token. */
const credentials = /uas_[0-9A-Za-z]{12,}|eyJ[\w-]+\.[\w-]+\.[\w-]*/g;

/** For the log: a text of a client, who may have put a credential where it does not belong. */
export function maskCredentials(text: string): string {
  return text.replace(credentials, '[credential]');
}
