import { createArtifactLayout } from '../artifacts/artifact-layout.ts'
import { createLayout } from '../engines/hosting/local/files/layout.ts'
import { createGateway, type Gateway, type GatewayOptions } from '../gateway/gateway.ts'

/** A gateway on a free port, in front of the sites of a local engine on this data folder. */
export const createEngineGateway = (
  dataDir: string,
  options: Pick<
    GatewayOptions,
    'routes' | 'log' | 'responseTimeoutMs' | 'sleep' | 'connections' | 'onRequest' | 'tls'
  >,
): Gateway =>
  createGateway({
    addressOf({ key }) {
      const { socket, data } = createLayout(dataDir).site(key)
      return { socketPath: socket, dataFolder: data }
    },
    artifactFiles: createArtifactLayout(dataDir).artifact,
    host: '127.0.0.1',
    port: 0,
    sitesDomain: 'localhost',
    ...options,
  })
