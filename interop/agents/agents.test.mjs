// OpenAI's agent SDK for JavaScript, unmodified: a loop of its own, whose model is an agent of the library's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Agent, OpenAIResponsesModel, Runner, run, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { server } from '../npm/server.mjs';

setTracingDisabled(true);
const s = server();
const model = (path) => new OpenAIResponsesModel(new OpenAI({ baseURL: s.url + path, apiKey: 'key', maxRetries: 0 }), 'guide');

const weather = (calls) => tool({
  name: 'get_weather', description: 'Get the weather of a city.', parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => { calls.push(city); return `sunny in ${city}`; },
});

test('an agent that runs its own tools answers', async () => {
  const agent = new Agent({ name: 'outer', model: model('/agent/v1') });
  const result = await run(agent, 'Bern');
  assert.equal(result.finalOutput, 'Tool result: Bern lies on a river');
});

test('the same, streamed', async () => {
  const agent = new Agent({ name: 'outer', model: model('/agent/v1') });
  const stream = await run(agent, 'Bern', { stream: true });
  let text = '';
  for await (const chunk of stream.toTextStream()) text += chunk;
  await stream.completed;
  assert.equal(text, 'Tool result: Bern lies on a river');
});

for (const stream of [false, true]) {
  test(`a tool of the outer loop's, ${stream ? 'streamed' : 'whole'}`, async () => {
    const calls = [];
    const agent = new Agent({ name: 'outer', model: model('/echo/v1'), tools: [weather(calls)] });
    const result = await run(agent, 'Bern', { stream, maxTurns: 4 });
    if (stream) await result.completed;
    assert.deepEqual(calls, ['Bern']);
    assert.equal(result.finalOutput, 'Tool result: sunny in Bern');
  });
}

test('a handoff from one outer agent to another', async () => {
  const second = new Agent({ name: 'second', model: model('/agent/v1'), instructions: 'Answer.' });
  const first = new Agent({ name: 'first', model: model('/echo/v1'), handoffs: [second] });
  const result = await new Runner().run(first, 'Bern', { maxTurns: 6 });
  assert.ok(typeof result.finalOutput === 'string' && result.finalOutput.length > 0);
  assert.equal(result.lastAgent.name, 'second');
});

test('an error reaches the outer loop', async () => {
  const agent = new Agent({ name: 'outer', model: new OpenAIResponsesModel(new OpenAI({ baseURL: `${s.url}/scripted/v1`, apiKey: 'key', maxRetries: 0 }), '429') });
  await assert.rejects(run(agent, 'x'), (err) => /429/.test(String(err)) || err.status === 429);
});
