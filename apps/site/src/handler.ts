import type { Visit } from './visit.ts'

export type Handler = (visit: Visit) => void | Promise<void>

/** The handlers of a path by method. HEAD is handled as GET unless it is null. */
export type Methods = Partial<Record<string, Handler | null>>
