import pg from 'pg'

/** The settings of startup `options`, such as `-c timezone=UTC -c lock_timeout=2s`. */
const settingsOf = (options: string | undefined) =>
  [...(options ?? '').matchAll(/(?:^|\s)-c\s*([\w.]+)=(\S+)/g)].map(([, name, value]) => ({
    name,
    value,
  }))

/**
 * A client that sends its `options` as a statement after it connected: PgBouncer rejects them as a
 * startup parameter, or drops them (`ignore_startup_parameters`).
 */
export class SessionClient extends pg.Client {
  readonly #settings: { name: string | undefined; value: string | undefined }[]

  constructor(config: pg.ClientConfig = {}) {
    // The pool's password is not enumerable.
    super({ ...config, password: config.password, options: undefined })
    this.#settings = settingsOf(config.options)
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    // Callers listen to errors once it is connected. An unhandled error event would end the process
    // when the connection breaks before, while the settings are sent.
    const ignore = () => undefined
    this.on('error', ignore)
    const connected = super
      .connect()
      .then(() => this.#apply())
      .finally(() => this.off('error', ignore))
    if (!callback) return connected
    // The pool's callback: without an error it gets undefined, as from pg.
    const succeed = callback as () => void
    connected.then(() => succeed(), callback)
    return undefined
  }

  async #apply(): Promise<pg.Client> {
    if (this.#settings.length === 0) return this
    const calls = this.#settings.map(
      (_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, false)`,
    )
    await this.query(
      `select ${calls.join(', ')}`,
      this.#settings.flatMap(({ name, value }) => [name, value]),
    )
    return this
  }
}
