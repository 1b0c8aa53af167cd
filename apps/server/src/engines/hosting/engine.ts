import type { ProjectStep } from '@slipway/contract/projects'

/** What an engine goes through before a site can answer. */
export type EngineStep = Exclude<ProjectStep, 'queued' | 'answer'>

/** Tells that a step begins, and that the one before it is done. Returns at once and never throws. */
export type Report = (step: EngineStep) => void

/** A website to run: the desired state of one project, as the reconciler hands it to an engine. */
export type Instance = {
  /** The project's key: a DNS label, unique for ever. It names the instance everywhere. */
  key: string
  /** The project's name, shown by the site. May change at any time without a restart. */
  name: string
  regionId: string
  /** Host names the site must answer on: the default one first, then the custom domain, if any. */
  hosts: readonly string[]
  /** How the site lets people sign in: as a client of our login provider (OpenID Connect). */
  signIn: { issuer: string; clientId: string; clientSecret: string }
}

/** What an engine sees of one instance right now. */
export type ObservedInstance = {
  key: string
  /** The instance as it was last applied; null when only remains of it are left. */
  applied: Instance | null
  /** Its process (or pod) runs. */
  running: boolean
}

/** Where an instance accepts HTTP requests. */
export type InstanceAddress = { socketPath: string }

export type HostingEngine = {
  /** Shown as the project's `engine` metadata. */
  readonly name: string
  /** The steps that `apply` reports, in their order. */
  readonly steps: readonly EngineStep[]
  /** Finds what an earlier server left running, then supervises it. Rejects when the engine cannot work here. */
  start(): Promise<void>
  /**
   * Brings the instance to what is asked: files, process, routes. Safe to repeat and to be killed at
   * any point. Resolves when the engine has taken the instance up, not when the site answers. Each of its
   * `steps` is reported as it begins, also when it is done again.
   */
  apply(instance: Instance, report?: Report): Promise<void>
  /** Ends the instance and deletes its data. Safe to repeat; an unknown key is already removed. */
  remove(key: string): Promise<void>
  /** Where the instance of this key accepts HTTP requests, running or not. For the site gateway. */
  addressOf(key: string): InstanceAddress
  /** Every instance the engine holds anything of, running or not. */
  list(): Promise<ObservedInstance[]>
  /** True when the site answers its health check on every host it was asked to answer on, through the gateway. */
  answers(instance: Instance): Promise<boolean>
  /** Key/value pairs about the instance for the project's detail page, such as the CMS version. */
  metadata(instance: Instance): Promise<{ key: string; value: string }[]>
  /** Rejects when the engine cannot do its work at the moment; asked by `/readyz`. */
  check(): Promise<void>
  /** Stops supervising and ends what the engine runs on this machine. Data is kept. */
  close(): Promise<void>
}
