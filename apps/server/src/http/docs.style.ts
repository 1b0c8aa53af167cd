import { accentFill, colorProperties } from '../brand.ts'

/** The look of the console for the page of the API documentation, over the style of Swagger UI. */
export const docsStyle = `${colorProperties}
:root { --accent-fill: ${accentFill}; }
body { margin: 0; background: var(--canvas); color: var(--fg); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
a { color: var(--accent); }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.5rem; padding: 0.75rem max(1.25rem, 50vw - 34.75rem); background: var(--surface); border-bottom: 1px solid var(--line); }
.bar .home { display: flex; align-items: center; gap: 0.75rem; margin-right: auto; color: inherit; font-weight: 600; text-decoration: none; }
.bar svg { width: 1.75rem; height: 1.75rem; }
.bar nav { display: flex; gap: 1.25rem; font-size: 0.875rem; }
noscript { display: block; padding: 1.25rem max(1.25rem, 50vw - 34.75rem); }

.swagger-ui { color: var(--fg); font-family: inherit; }
.swagger-ui .wrapper { max-width: 72rem; padding: 0 1.25rem; }
.swagger-ui :is(.info .title, .info p, .info li, .opblock-tag, .opblock-tag small, .opblock-description-wrapper p, .opblock-external-docs-wrapper p, .opblock-title_normal p, .opblock .opblock-summary-description, .opblock .opblock-section-header h4, .opblock .opblock-section-header > label, .tab li, .parameter__name, .parameter__type, .response-col_status, .response-col_links, .responses-inner h4, .responses-inner h5, table thead tr td, table thead tr th, .model, .model-title, section.models h4, .dialog-ux .modal-ux-header h3, .dialog-ux .modal-ux-content h4, .dialog-ux .modal-ux-content p, label, .btn, .renderedMarkdown, .json-schema-2020-12, .json-schema-2020-12__title, .json-schema-2020-12-accordion) { color: var(--fg); font-family: inherit; }
.swagger-ui :is(.opblock-summary-path, .opblock-summary-path__deprecated, code, pre, .parameter__type, textarea.curl) { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.swagger-ui :is(.opblock .opblock-summary-description, .opblock-tag small, .parameter__type, .parameter__in, .response-col_links, .json-schema-2020-12__attribute, .prop-format) { color: var(--muted); }
.swagger-ui .info { margin: 2.5rem 0 1rem; }
.swagger-ui .info .title { font-size: 2rem; letter-spacing: -0.02em; }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: none; }
.swagger-ui .info .title small pre { color: var(--muted); font: 500 0.75rem/1.5 ui-monospace, monospace; padding: 0.125rem 0.5rem; border: 1px solid var(--line); border-radius: 99px; }
.swagger-ui .info hgroup.main > a { display: none; }
.swagger-ui .info a, .swagger-ui .model-title a { color: var(--accent); }
.swagger-ui .opblock-tag a { color: inherit; }
.swagger-ui :is(.markdown, .renderedMarkdown) code { background: var(--canvas); border: 1px solid var(--line); color: var(--fg); font-weight: 400; }
/* There is one server: that of this page. */
.swagger-ui :is(.servers-title, .servers) { display: none; }
.swagger-ui .scheme-container { margin: 0; padding: 0; background: none; box-shadow: none; }
.swagger-ui .scheme-container .schemes-title, .swagger-ui .scheme-container label { color: var(--muted); }
.swagger-ui select, .swagger-ui input[type="text"], .swagger-ui input[type="password"], .swagger-ui textarea { background: var(--surface); border: 1px solid var(--line); border-radius: 6px; box-shadow: none; color: var(--fg); font-family: inherit; }
.swagger-ui .filter .operation-filter-input { margin: 1.25rem 0 0; border: 1px solid var(--line); padding: 0.5rem 0.75rem; }
.swagger-ui .btn { border: 1px solid var(--line); border-radius: 6px; box-shadow: none; background: var(--surface); }
.swagger-ui .btn.authorize { border-color: var(--line); color: var(--fg); }
.swagger-ui .btn.authorize svg, .swagger-ui .authorization__btn svg, .swagger-ui .opblock-tag svg, .swagger-ui .opblock-control-arrow svg, .swagger-ui .models-control svg, .swagger-ui .close-modal svg, .swagger-ui .copy-to-clipboard svg { fill: currentColor; color: var(--muted); }
.swagger-ui .btn.execute { background: var(--accent-fill); border-color: var(--accent-fill); color: #fff; }
.swagger-ui .opblock-tag { border-bottom: 1px solid var(--line); font-size: 1.25rem; }
.swagger-ui .opblock, .swagger-ui .opblock:is(.opblock-get, .opblock-post, .opblock-put, .opblock-delete, .opblock-patch) { margin: 0 0 0.5rem; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; box-shadow: none; overflow: hidden; }
.swagger-ui .opblock:is(.opblock-get, .opblock-post, .opblock-put, .opblock-delete, .opblock-patch) .opblock-summary { border-color: var(--line); padding: 0.375rem 0.75rem; }
.swagger-ui .opblock .opblock-summary-method { min-width: 4.5rem; padding: 0.25rem 0; border-radius: 6px; background: none; border: 1px solid var(--line); color: var(--muted); font: 600 0.75rem/1.25rem ui-monospace, monospace; text-shadow: none; }
/* Reads are outlined, writes are filled. */
.swagger-ui .opblock:is(.opblock-get, .opblock-delete) .opblock-summary-method { background: none; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { color: var(--accent); }
.swagger-ui .opblock:is(.opblock-post, .opblock-put, .opblock-patch) .opblock-summary-method { background: var(--accent-fill); border-color: var(--accent-fill); color: #fff; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { color: var(--danger); border-color: currentColor; }
.swagger-ui .opblock .opblock-summary-path { color: var(--fg); font-size: 0.875rem; font-weight: 500; }
.swagger-ui .opblock .opblock-section-header { background: var(--canvas); box-shadow: none; border-block: 1px solid var(--line); min-height: 0; }
.swagger-ui .opblock:is(.opblock-get, .opblock-post, .opblock-put, .opblock-delete, .opblock-patch) .tab-header .tab-item.active h4 span::after { background: var(--accent-fill); }
/* The same colors in both themes, as Swagger UI highlights for a dark block. */
.swagger-ui :is(.highlight-code, .example) :is(pre, .microlight), .swagger-ui .opblock-body pre.microlight { background: #101a1c !important; border-radius: 6px; font-weight: 400; }
.swagger-ui .parameter__name.required span, .swagger-ui .parameter__name.required::after { color: var(--danger); }
.swagger-ui table.headers td { color: var(--fg); }
.swagger-ui :is(.response-control-media-type--accept-controller select, .response-control-media-type__accept-message) { border-color: var(--line); color: var(--muted); }
.swagger-ui table thead tr :is(td, th) { border-bottom: 1px solid var(--line); }
.swagger-ui section.models { border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
.swagger-ui section.models .model-container, .swagger-ui .model-box { background: var(--canvas); }
.swagger-ui .dialog-ux .modal-ux { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; }
.swagger-ui .dialog-ux .modal-ux-header, .swagger-ui .auth-container { border-color: var(--line); }
.swagger-ui :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.swagger-ui .samples { margin: 1.25rem; border-radius: 6px; overflow: hidden; background: #101a1c; }
.swagger-ui .sample-bar { display: flex; gap: 0.25rem; padding: 0.5rem; border-bottom: 1px solid #2b3a3d; }
.swagger-ui .sample-bar button { padding: 0.25rem 0.75rem; border: 0; border-radius: 6px; background: none; color: #a9b8b9; font-size: 0.8125rem; font-family: inherit; font-weight: 500; cursor: pointer; }
.swagger-ui .sample-bar button[aria-pressed="true"] { background: #25353a; color: #fff; }
.swagger-ui .sample-bar button:hover { color: #fff; }
.swagger-ui .sample-bar .sample-copy { margin-left: auto; }
.swagger-ui .samples pre { margin: 0; padding: 1rem; overflow-x: auto; color: #e6eeee; font: 0.8125rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; }
@media (max-width: 40rem) {
.swagger-ui .opblock-tag { flex-wrap: wrap; }
.swagger-ui .opblock-tag small { order: 1; flex: 1 0 100%; padding: 0; font-size: 0.875rem; }
.swagger-ui .filter .operation-filter-input { width: 100%; box-sizing: border-box; }
.swagger-ui .opblock .opblock-summary-path-description-wrapper { flex-direction: column; align-items: flex-start; gap: 0; }
}
`
