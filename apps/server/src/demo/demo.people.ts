export type Person = { name: string; email: string }

/** The password of everybody in the demo, which is on the person's own machine alone. */
export const password = 'Correct-horse7'

/** Who the demo signs in as: each has joined the other's team. */
export const ada: Person = { name: 'Ada Example', email: 'ada@example.com' }
export const grace: Person = { name: 'Grace Example', email: 'grace@example.com' }

export const alan: Person = { name: 'Alan Example', email: 'alan@example.com' }
export const edith: Person = { name: 'Edith Example', email: 'edith@example.com' }

/** The support staff's account. */
export const operator: Person = { name: 'Support Example', email: 'support@example.com' }
