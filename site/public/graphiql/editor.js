// Runs before GraphiQL's own file, whose editor reads these settings when it is loaded.

const workers = JSON.parse(document.getElementById('graphiql')?.dataset['workers'] ?? '{}');

Reflect.set(self, 'MonacoEnvironment', {
  globalAPI: true,
  /** @param {string} _module @param {string} label */
  getWorkerUrl: (_module, label) => workers[label],
});

// GraphiQL reads the system's colours once. Colours that were chosen in its settings stay.
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
  if (document.body.matches('.graphiql-dark, .graphiql-light')) return;
  Reflect.get(self, 'monaco')?.editor.setTheme(matches ? 'graphiql-DARK' : 'graphiql-LIGHT');
});
