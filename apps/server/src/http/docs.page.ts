import { mark } from '../brand.ts'

/**
 * The page that embeds Swagger UI. It replaces Swagger UI's top bar, a picker of documents, and
 * adds a dark theme.
 */
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
export const docsScript = `
/** Shows the \`x-codeSamples\` of an operation above its responses. */
function codeSamples({ React }) {
  const { createElement, useState } = React

  function Samples({ samples }) {
    const [chosen, setChosen] = useState(0)
    const [copied, setCopied] = useState(false)
    const { source, lang } = samples[chosen]
    return createElement(
      'section',
      { className: 'samples', 'aria-label': 'Code samples' },
      createElement(
        'div',
        { className: 'sample-bar' },
        ...samples.map(({ label }, index) =>
          createElement(
            'button',
            {
              key: label,
              type: 'button',
              'aria-pressed': index === chosen,
              onClick: () => { setChosen(index); setCopied(false) },
            },
            label,
          ),
        ),
        navigator.clipboard && createElement(
          'button',
          {
            type: 'button',
            className: 'sample-copy',
            onClick: () => navigator.clipboard.writeText(source).then(() => setCopied(true)),
          },
          copied ? 'Copied' : 'Copy',
        ),
      ),
      createElement('pre', { tabIndex: 0, 'aria-label': lang }, createElement('code', null, source)),
    )
  }

  return {
    wrapComponents: {
      responses: (Responses, { specSelectors }) => (props) => {
        const operation = specSelectors.specJson().getIn(['paths', props.path, props.method])
        const samples = operation?.get('x-codeSamples')?.toJS() ?? []
        return createElement(
          'div',
          null,
          samples.length > 0 && createElement(Samples, { samples }),
          createElement(Responses, props),
        )
      },
    },
  }
}

SwaggerUIBundle({
  url: '/api/docs/json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  filter: true,
  plugins: [codeSamples],
  // A validator would send the document to another service.
  validatorUrl: null,
})
`
