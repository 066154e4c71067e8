"""The ingress of Home Assistant in front of an app: Home Assistant's own proxy, and one that forwards as the Supervisor
does.

    with Ingress(port) as ingress:               # of the app, on 127.0.0.1
        ingress.url                              # of a page that shows the app in a frame, as Home Assistant does
        ingress.path                             # the app's path, such as /api/hassio_ingress/TOKEN/
"""
import asyncio
import threading

import aiohttp
from aiohttp import web
from homeassistant.components.hassio.ingress import HassIOIngress

from processes import free_port

TOKEN = "Zx_1-y"
# Fields that the Supervisor does not pass on, because its own client or server writes them.
HOP = {"content-length", "content-encoding", "transfer-encoding"}


class Ingress:
    path = f"/api/hassio_ingress/{TOKEN}/"

    def __init__(self, app_port):
        self._app = f"http://127.0.0.1:{app_port}"
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}/"

    def __enter__(self):
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(30)
        return self

    def __exit__(self, *_):
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(60)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)

    async def _start(self):
        self._session = aiohttp.ClientSession()
        supervisor = free_port()
        view = HassIOIngress(f"127.0.0.1:{supervisor}", self._session)

        async def core(request):
            return await view._handle(request, request.match_info["token"], request.match_info["path"])

        self._runners = [
            await self._serve(self._port, ("/", self._frame), ("/api/hassio_ingress/{token}/{path:.*}", core)),
            await self._serve(supervisor, ("/ingress/{token}/{path:.*}", self._forward))]

    @staticmethod
    async def _serve(port, *routes):
        application = web.Application()
        for path, handler in routes:
            application.router.add_route("*", path, handler)
        # A page's stream of events never ends by itself.
        runner = web.AppRunner(application, shutdown_timeout=1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        return runner

    async def _stop(self):
        for runner in self._runners:
            await runner.cleanup()
        await self._session.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _frame(self, request):
        page = request.query.get("page", "")
        return web.Response(text=f'<iframe src="{self.path}{page}" width="900" height="700"></iframe>',
                            content_type="text/html")

    async def _forward(self, request):
        fields = {name: value for name, value in request.headers.items() if name.lower() not in HOP}
        fields["X-Forwarded-For"] = f"{request.headers.get('X-Forwarded-For')}, {request.remote}"
        async with self._session.request(
                request.method, f"{self._app}/{request.match_info['path']}", headers=fields, params=request.query,
                allow_redirects=False, data=await request.read(), timeout=aiohttp.ClientTimeout(total=None)) as answer:
            kept = {name: value for name, value in answer.headers.items() if name.lower() not in HOP}
            if "Content-Length" in answer.headers or answer.status in (204, 304):
                return web.Response(status=answer.status, headers=kept, body=await answer.read())
            response = web.StreamResponse(status=answer.status, headers=kept | {"X-Accel-Buffering": "no"})
            await response.prepare(request)
            try:
                async for data, _ in answer.content.iter_chunks():
                    await response.write(data)
            except (aiohttp.ClientError, ConnectionError):
                pass  # The page is closed.
            return response
