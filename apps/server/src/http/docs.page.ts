import { mark } from '../brand.ts'

/** The page around Swagger UI, which has a bar for other documents and no dark theme of its own. */
export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Slipway API</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/api/docs/swagger-ui/swagger-ui.css">
<link rel="stylesheet" href="/api/docs/page.css">
</head>
<body>
<header class="bar">
<a class="home" href="/">${mark}<span>Slipway API</span></a>
<nav aria-label="Documentation">
<a href="/account/tokens">Access tokens</a>
<a href="/api/docs/json">OpenAPI document</a>
</nav>
</header>
<main id="swagger-ui"></main>
<noscript><p>This page needs JavaScript. The <a href="/api/docs/json">OpenAPI document</a> does not.</p></noscript>
<script src="/api/docs/swagger-ui/swagger-ui-bundle.js"></script>
<script src="/api/docs/page.js"></script>
</body>
</html>
`

/** Starts Swagger UI: https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/ */
export const docsScript = `SwaggerUIBundle({
  url: '/api/docs/json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  filter: true,
  requestSnippetsEnabled: true,
  // It would send the document to another service.
  validatorUrl: null,
})
`
