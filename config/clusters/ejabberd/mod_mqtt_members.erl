%% An ejabberd module: what the members of a cluster have to tell each other, beyond what mod_mqtt tells them, to be one
%% broker for timer nodes. README.md in the folder above says how it is compiled and installed.
%%
%% 1. Retained messages. mod_mqtt keeps their payloads in a table of the database, which all members share, but the list
%%    of their topics, in which it looks for those that match a subscription, is each member's own. It is read from the
%%    database at the start only. So without this module a client that subscribes gets only those retained messages which
%%    were published at the same member: a display at another member does not see the node.
%%
%% 2. A network that was split. When its members reach each other again, the database does not join what has changed on
%%    both sides; each side goes on alone until somebody restarts it. A command that is published on one side does not
%%    reach a node on the other. This module has the smaller side start again with the data of the larger one. Its
%%    clients are disconnected, connect again, and publish what is true now.
-module(mod_mqtt_members).
-behaviour(gen_mod).
-behaviour(gen_server).

-export([start/2, stop/1, reload/3, depends/2, mod_options/1, mod_doc/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
-export([tell_members/3, start_again/1]).

-include("logger.hrl").
-include("mqtt.hrl").

%% How often a member tries to reach those that it lost, in milliseconds. Nobody else does.
-define(INTERVAL, 2000).

%% What ejabberd asks of a module

start(Host, Options) -> gen_mod:start_child(?MODULE, Host, Options).

stop(Host) -> gen_mod:stop_child(?MODULE, Host).

reload(_Host, _New, _Old) -> ok.

depends(_Host, _Options) -> [{mod_mqtt, hard}].

mod_options(_Host) -> [].

mod_doc() -> #{}.

%% The state: the host, and a member of the other side while the sides have to be joined.
init([Host | _]) ->
    process_flag(trap_exit, true),
    %% Those that start_again/1 has set: they were for one start, and any member may be the first to start next time.
    mnesia:set_master_nodes([]),
    {ok, _} = mnesia:subscribe(system),
    ejabberd_hooks:add(mqtt_publish, Host, ?MODULE, tell_members, 50),
    timer:send_interval(?INTERVAL, look),
    {ok, {Host, none}}.

terminate(_Reason, {Host, _}) ->
    ejabberd_hooks:delete(mqtt_publish, Host, ?MODULE, tell_members, 50).

handle_call(_Request, _From, State) -> {reply, ok, State}.

handle_cast(_Message, State) -> {noreply, State}.

handle_info(look, {Host, Member}) ->
    Lost = ejabberd_cluster:get_known_nodes() -- [node() | nodes()],
    %% Each in a process of its own: in a network that loses packets it takes some seconds.
    [spawn(net_kernel, connect_node, [Other]) || Other <- Lost],
    {noreply, {Host, join_sides(Member)}};
handle_info({mnesia_system_event, {inconsistent_database, Context, Member}}, {Host, _}) ->
    ?WARNING_MSG("The database was changed both here and at ~s (~s)", [Member, Context]),
    {noreply, {Host, join_sides(Member)}};
handle_info(_Message, State) -> {noreply, State}.

%% Retained messages

%% Each message that a client publishes comes by here.
tell_members({_User, Server, _Resource}, #publish{retain = true, topic = Topic, payload = Payload}, _Expiry) ->
    Key = {topic_key(Topic), Server},
    {Function, Arguments} =
        case Payload of
            %% It takes back the retained message.
            <<>> -> {delete, [mqtt_topic_cache, Key]};
            _ -> {insert, [mqtt_topic_cache, {Key, Topic}]}
        end,
    %% Nobody waits for the answer: a member that stands still must not hold up the others.
    [rpc:cast(Member, ets, Function, Arguments) || Member <- ejabberd_cluster:get_nodes(), Member =/= node()],
    ok;
tell_members(_Client, _Message, _Expiry) -> ok.

%% The topic as mod_mqtt has it in the list of its topics: its levels, with a / between each two.
topic_key(Topic) ->
    case lists:join($/, binary:split(Topic, <<"/">>, [global])) of
        [<<>> | Rest] -> Rest;
        Key -> Key
    end.

%% A network that was split

%% Both sides come to the same decision, each with the other's list: the smaller side starts again. Of two that are
%% equally large, it is the one without the first member in the order of the names.
%%
%% Returns the member of the other side, or none where there is nothing to do any more.
join_sides(none) -> none;
join_sides(Member) ->
    Here = lists:sort(mnesia:system_info(running_db_nodes)),
    There = rpc:call(Member, mnesia, system_info, [running_db_nodes], 1000),
    %% It may be gone again, which is told again when it is back. Or it is joined: then they have members in common.
    case is_list(There) andalso There =/= [] andalso There -- Here =:= There of
        true ->
            IsSmaller = {-length(Here), Here} > {-length(There), lists:sort(There)},
            %% Without a connection to all of them it would wait for those that are missing, and serve nobody.
            case IsSmaller andalso There -- nodes() =:= [] of
                true ->
                    spawn(?MODULE, start_again, [There]),
                    none;
                false -> Member
            end;
        false -> none
    end.

%% Starts ejabberd again within its process, with the data of other members in place of its own.
start_again(Members) ->
    %% An application that stops ends all processes of its group, and this one must not be among them.
    group_leader(whereis(init), self()),
    ?WARNING_MSG("Starting again with the data of ~p", [Members]),
    application:stop(ejabberd),
    application:stop(mnesia),
    ok = mnesia:set_master_nodes(Members),
    %% Otherwise mod_mqtt would find its own old payloads there.
    [ets_cache:delete(Cache) || Cache <- ets_cache:all()],
    application:start(ejabberd).
