export type Person = { name: string; email: string }

/** The password of all demo users. The demo is only reachable from its own machine. */
export const password = 'Correct-horse7'

/** The demo's users. Each is a member of the other's team. */
export const ada: Person = { name: 'Ada Example', email: 'ada@example.com' }
export const grace: Person = { name: 'Grace Example', email: 'grace@example.com' }

export const alan: Person = { name: 'Alan Example', email: 'alan@example.com' }
export const edith: Person = { name: 'Edith Example', email: 'edith@example.com' }

/** The support staff's account. */
export const operator: Person = { name: 'Support Example', email: 'support@example.com' }
