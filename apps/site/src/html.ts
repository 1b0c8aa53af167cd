const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

const characterOf = new Map(Object.entries(entities).map(([plain, entity]) => [entity, plain]))

/** The reverse of `escapeHtml`. */
export const unescapeHtml = (html: string): string =>
  html.replace(/&#?\w+;/g, (entity) => characterOf.get(entity) ?? entity)
