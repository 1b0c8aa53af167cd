/** Types of the parts that we use: the package has none. */
declare module '@20minutes/s3rver' {
  class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      configureBuckets: { name: string }[]
      allowMismatchedSignatures: boolean
    })
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
  export default S3rver
}
