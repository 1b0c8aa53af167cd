export type ExampleValues = { issuer: string; clientId: string; redirectUri: string }

export type ClientExample = {
  /** The name of the library or program. */
  name: string
  /** True if the client needs a secret: a public client has none. */
  isConfidential: boolean
  code: (values: ExampleValues) => string
}

const authJs = ({ issuer, clientId, redirectUri }: ExampleValues) => `// auth.ts
// Redirect URI: ${new URL(redirectUri).origin}/auth/callback/slipway
// With Next.js: /api/auth/callback/slipway
export const providers = [
  {
    id: 'slipway',
    name: 'Slipway',
    type: 'oidc',
    issuer: '${issuer}',
    clientId: '${clientId}',
    clientSecret: process.env.SLIPWAY_SECRET,
  },
]
`

const express = ({
  issuer,
  clientId,
  redirectUri,
}: ExampleValues) => `// Redirect URI: ${new URL(redirectUri).origin}/callback
import { auth } from 'express-openid-connect'

app.use(
  auth({
    issuerBaseURL: '${issuer}',
    baseURL: '${new URL(redirectUri).origin}',
    clientID: '${clientId}',
    clientSecret: process.env.SLIPWAY_SECRET,
    secret: process.env.SESSION_SECRET,
    authorizationParams: { response_type: 'code' },
    idpLogout: true,
  }),
)
`

const openidClient = ({
  issuer,
  clientId,
  redirectUri,
}: ExampleValues) => `import * as client from 'openid-client'

const config = await client.discovery(new URL('${issuer}'), '${clientId}', process.env.SLIPWAY_SECRET)
const codeVerifier = client.randomPKCECodeVerifier()
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: '${redirectUri}',
  scope: 'openid profile email',
  code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
  code_challenge_method: 'S256',
})
// After the redirect back:
const tokens = await client.authorizationCodeGrant(config, callbackUrl, { pkceCodeVerifier: codeVerifier })
`

const authlib = ({ issuer, clientId, redirectUri }: ExampleValues) => `# Flask with Authlib
oauth = OAuth(app)
oauth.register(
    'slipway',
    server_metadata_url='${issuer}/.well-known/openid-configuration',
    client_id='${clientId}',
    client_secret=os.environ['SLIPWAY_SECRET'],
    client_kwargs={'scope': 'openid profile email', 'code_challenge_method': 'S256'},
)

@app.route('/login')
def login():
    return oauth.slipway.authorize_redirect('${redirectUri}')

# At the redirect URI:
user = oauth.slipway.authorize_access_token()['userinfo']
`

const apache = ({
  issuer,
  clientId,
  redirectUri,
}: ExampleValues) => `# Apache with mod_auth_openidc; /etc/apache2/envvars exports SLIPWAY_SECRET and SLIPWAY_PASSPHRASE
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID ${clientId}
OIDCClientSecret "\${SLIPWAY_SECRET}"
OIDCRedirectURI ${redirectUri}
OIDCScope "openid profile email"
OIDCCryptoPassphrase "\${SLIPWAY_PASSPHRASE}"
<Location />
  AuthType openid-connect
  Require valid-user
</Location>
`

const oidcClientTs = ({
  issuer,
  clientId,
  redirectUri,
}: ExampleValues) => `import { UserManager } from 'oidc-client-ts'

const users = new UserManager({
  authority: '${issuer}',
  client_id: '${clientId}',
  redirect_uri: '${redirectUri}',
  scope: 'openid profile email offline_access',
  automaticSilentRenew: true,
})
await users.signinRedirect()
// At the redirect URI:
const user = await users.signinRedirectCallback()
`

/** Examples to copy for widely used clients; each is in docs/clients.md. */
export const clientExamples: readonly ClientExample[] = [
  { name: 'Auth.js', isConfidential: true, code: authJs },
  { name: 'express-openid-connect', isConfidential: true, code: express },
  { name: 'openid-client', isConfidential: true, code: openidClient },
  { name: 'Authlib (Python)', isConfidential: true, code: authlib },
  { name: 'mod_auth_openidc (Apache)', isConfidential: true, code: apache },
  { name: 'oidc-client-ts', isConfidential: false, code: oidcClientTs },
]
